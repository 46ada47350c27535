import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type TarEntry, tarOf } from '../http/tar.ts';
import { packageFile } from '../runtime/paths.ts';
import { type Address, splitAtBaseUrl } from './address.ts';

interface Integration {
  /** The folder of its archive that gets the README and what it shares with others. */
  readonly folder: string;
  readonly shared: readonly string[];
  /** Files whose path begins so stand in a second place, too. */
  readonly again?: ReadonlyArray<readonly [path: string, second: string]>;
}

const MODULE = 'modules/Servicebrokerapi';

/** What plugs into other programs. */
export const INTEGRATIONS: Readonly<Record<string, Integration>> = {
  whmcs: { folder: 'modules/servers/brokerapi', shared: ['docs/examples/broker.php', 'integrations/panel.php'] },
  fossbilling: {
    folder: 'library/Brokerapi',
    shared: ['docs/examples/broker.php', 'integrations/panel.php'],
    // FOSSBilling 0.8 looks for templates in other folders than 0.7; staff's pages use one that clients' pages have.
    again: [
      [`${MODULE}/html_client/mod_servicebrokerapi_script`, `${MODULE}/html_admin/mod_servicebrokerapi_script`],
      [`${MODULE}/html_client/mod_servicebrokerapi_script`, `${MODULE}/templates/admin/mod_servicebrokerapi_script`],
      ...['client', 'admin', 'email'].map(
        (area) => [`${MODULE}/html_${area}/`, `${MODULE}/templates/${area}/`] as const,
      ),
    ],
  },
  paymenter: {
    folder: 'extensions/Servers/Brokerapi',
    shared: ['docs/examples/broker.php', 'integrations/panel.php'],
  },
  proxmox: { folder: '', shared: ['docs/examples/provisioning.mjs'] },
  lxd: { folder: '', shared: ['docs/examples/provisioning.mjs'] },
  osb: { folder: '', shared: ['docs/examples/provisioning.mjs'] },
};

/**
 * Makes the archive of one, to be unpacked in the other program's folder.
 * @returns makes the archive, tar and gzip, with the caller's base address in its files
 */
export function integrationArchive(api: Address, name: string): (baseUrl: string) => Buffer {
  const { folder = '', shared = [], again = [] } = INTEGRATIONS[name] ?? {};
  const root = `integrations/${name}`;
  const own = readdirSync(packageFile(root), { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(packageFile(root).length + 1));
  const inFolder = (path: string) => join(folder, path.split('/').at(-1) ?? '');
  const copied = again.flatMap(([path, second]) =>
    own
      .filter((each) => each.startsWith(path))
      .map((each): [string, string] => [second + each.slice(path.length), `${root}/${each}`]),
  );
  const files: Array<[path: string, from: string]> = [
    ...copied,
    ...own.map((path): [string, string] => [path === 'README.md' ? inFolder(path) : path, `${root}/${path}`]),
    ...shared.map((path): [string, string] => [inFolder(path), path]),
  ];
  const texts = files
    .map(([path, from]) => ({ path, parts: splitAtBaseUrl(api, readFileSync(packageFile(from), 'utf8')) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  // Programs that keep compiled files notice a replaced one by its date.
  const mtime = Math.floor(performance.timeOrigin / 1000);
  return (baseUrl) => {
    const entries = texts.map(({ path, parts }): TarEntry => ({ path, content: Buffer.from(parts.join(baseUrl)) }));
    return gzipSync(tarOf(entries, mtime));
  };
}
