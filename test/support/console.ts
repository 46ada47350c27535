import type { FastifyInstance, InjectOptions } from 'fastify';
import { buildConsole, type ConsoleDeps } from '../../console/app.ts';
import { runImport } from '../../src/operator/imports/run.ts';
import { createConsoleLink } from '../../src/operator/people/console-access.ts';
import { addOperator } from '../../src/operator/people/operators.ts';
import type { ProcessInfo } from '../../src/operator/system/system.ts';
import type { ImportRunner } from '../../src/operator/use-case/import-task.ts';
import type { MachinePage } from '../../src/ports.ts';
import { openDemo } from './demo.ts';
import { createOperatorContext } from './operator-context.ts';
import { exact } from './world.ts';

export const CONSOLE_URL = 'http://console.example.com';

const NO_SANDBOXES: ProcessInfo['sandboxes'] = {
  find: async () => null,
  remove: async () => undefined,
  count: async () => 0,
};

interface TestConsoleOptions {
  config?: Partial<Omit<ConsoleDeps['config'], 'console'>> & { console?: Partial<ConsoleDeps['config']['console']> };
  environmentLabel?: string;
  processInfo?: Partial<ConsoleDeps['processInfo']>;
  hasProvisioner?: boolean;
  /** With the demo's records. */
  demo?: boolean;
  /** Where the rate limits are counted. */
  limits?: ConsoleDeps['limits'];
}

/** The console on a database of its own, with a clock, a mailbox and people that the test holds in its hands. */
export async function createTestConsole({
  config: changes = {},
  environmentLabel,
  processInfo,
  hasProvisioner = false,
  demo = false,
  limits,
}: TestConsoleOptions = {}) {
  const base = await createOperatorContext(demo ? openDemo : undefined);
  const logged: string[] = [];
  const note = (_details: object, message: string) => void logged.push(message);
  const machines = {
    /** What the provisioner lists. */
    page: { machines: [], after: null } as MachinePage,
    list: async () => machines.page,
  };
  const context = { ...base, hasProvisioner, machines, log: { error: note, warn: note } };
  const config: ConsoleDeps['config'] = {
    production: false,
    tls: undefined,
    trustedProxies: [],
    keepAliveMs: 72_000,
    operatorApi: true,
    mail: { kind: 'postmark', serverToken: 'token', timeoutMs: 1000 },
    ...changes,
    console: {
      host: '127.0.0.1',
      port: 0,
      loopback: true,
      isExplicit: true,
      url: CONSOLE_URL,
      sender: undefined,
      ...changes.console,
    },
  };
  // As it is done in the server, but on this thread, which the test's clock belongs to.
  const imports = { run: ((task, onProgress) => runImport(context, task, onProgress)) as ImportRunner };
  /** One more process with a console on the same records. */
  const process = (counted: ConsoleDeps['limits']) =>
    exact(() =>
      buildConsole({
        config,
        context,
        processInfo: {
          settings: [],
          apiUrl: 'https://api.example/api',
          scopesOf: (operationId) => (operationId === 'listPlans' ? ['plans:read', 'admin:full'] : ['admin:full']),
          away: () => ({}),
          sandboxes: NO_SANDBOXES,
          ...processInfo,
        },
        environmentLabel: async () => environmentLabel,
        runImport: (...given) => imports.run(...given),
        limits: counted,
      }),
    );
  const app = await process(limits);
  let people = 0;

  /** A new person, and a link for them. */
  async function person(role: string) {
    people += 1;
    const { email } = await addOperator.run(context, {
      email: `${role}-${people}@example.com`,
      name: `The ${role}`,
      role,
    });
    return { email, link: () => linkFor(email) };
  }
  const linkFor = async (email: string) =>
    (await createConsoleLink.run({ ...context, consoleUrl: CONSOLE_URL }, { email })).url.slice(CONSOLE_URL.length);

  return {
    app,
    process,
    context,
    logged,
    clock: base.clock,
    store: base.store,
    mailer: base.mailer,
    /** What reads and imports files; a test may put something else in its place. */
    imports,
    browser: (headers: Record<string, string> = {}) => createBrowser(app, headers),
    person,
    linkFor,
    /** Somebody of this role at work. */
    async signedIn(role: string) {
      const { email, link } = await person(role);
      const browser = createBrowser(app);
      const path = await link();
      await browser.get(path);
      await browser.post(path);
      return Object.assign(browser, { email });
    },
    async close() {
      await app.close();
      await base.close();
    },
  };
}

export type TestConsole = Awaited<ReturnType<typeof createTestConsole>>;

type Fields = Record<string, string | string[]>;

const TEXTS: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const decoded = (html: string): string => html.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => String(TEXTS[name]));
const attribute = (tag: string, name: string): string | undefined => {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : decoded(value);
};

/** What a browser would send of the first form of a page with this action. */
export function formOf(body: string, action: string, isIt: (html: string) => boolean = () => true): Fields {
  const form = [...body.matchAll(/<form ([^>]*)>(.*?)<\/form>/gs)].find(
    ([, tag, inside = '']) => attribute(` ${tag}`, 'action') === action && isIt(inside),
  );
  if (!form) throw new Error(`the page has no form for ${action}`);
  return fieldsIn(form[2] as string);
}

/** The same of the form that was refused, or that asks: it stands on the page itself, not in a dialog. */
export const formAgain = (body: string, action: string): Fields =>
  formOf(body, action, (html) => !html.includes('popovertargetaction="hide"'));

function fieldsIn(html: string): Fields {
  const fields: Fields = {};
  for (const [tag] of html.matchAll(/<input [^>]*>/g)) {
    const name = attribute(tag, 'name');
    if (name === undefined) continue;
    const value = attribute(tag, 'value') ?? '';
    if (attribute(tag, 'type') !== 'checkbox') fields[name] = value;
    else fields[name] = [...(fields[name] ?? []), ...(/ checked(=|\/|>| )/.test(tag) ? [value] : [])];
  }
  for (const [, tag = '', options = ''] of html.matchAll(/<select([^>]*)>(.*?)<\/select>/gs)) {
    const all = [...options.matchAll(/<option([^>]*)>/g)].map(([, option = '']) => option);
    const chosen = all.find((option) => / selected/.test(option)) ?? all[0] ?? '';
    fields[String(attribute(tag, 'name'))] = attribute(chosen, 'value') ?? '';
  }
  for (const [, tag = '', text = ''] of html.matchAll(/<textarea([^>]*)>\n?(.*?)<\/textarea>/gs)) {
    fields[String(attribute(tag, 'name'))] = decoded(text);
  }
  return fields;
}

/** What a browser does of itself: keeps cookies, and sends a form with the token that stood on the page. */
export function createBrowser(app: FastifyInstance, headers: Record<string, string> = {}) {
  const cookies = new Map<string, string>();
  let token = '';

  async function send(options: InjectOptions) {
    // The jar holds them decoded.
    const cookie = [...cookies].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; ');
    const response = await app.inject({
      ...options,
      headers: { ...headers, ...(cookie && { cookie }), ...(options.headers as Record<string, string>) },
    });
    for (const { name, value } of response.cookies) {
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    token = /name="form_token" value="([^"]+)"/.exec(response.body)?.[1] ?? token;
    return {
      status: response.statusCode,
      to: response.headers.location,
      headers: response.headers,
      cookies: response.cookies,
      body: response.body,
      /** The page's words, without its elements. */
      text: response.body.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' '),
    };
  }

  return {
    cookies,
    send,
    /** The token that the last page's forms bring back. */
    token: () => token,
    get: (url: string, more: Record<string, string> = {}) => send({ method: 'GET', url, headers: more }),
    /** Reads a page, changes these fields of one of its forms and sends it. */
    async edit(page: string, action: string, fields: Fields = {}) {
      const { body } = await this.get(page);
      return this.post(action, { ...formOf(body, action), ...fields });
    },
    /** A form with a file, as a browser writes it: the fields in the page's order, the token first. */
    upload: (
      url: string,
      fields: Record<string, string>,
      file: { name: string; content: string | Buffer } | null,
      more: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
    ) => {
      const edge = '----boundary';
      const parts: Buffer[] = [];
      const part = (head: string, content: string | Buffer) =>
        parts.push(
          Buffer.from(`--${edge}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
          Buffer.from(content),
          Buffer.from('\r\n'),
        );
      for (const [name, value] of Object.entries({ form_token: token, ...fields })) part(`name="${name}"`, value);
      if (file) part(`name="file"; filename="${file.name}"\r\nContent-Type: text/csv`, file.content);
      parts.push(Buffer.from(`--${edge}--\r\n`));
      const headers = { 'content-type': `multipart/form-data; boundary=${edge}`, ...more };
      return send({ method: 'POST', url, headers, payload: Buffer.concat(parts) });
    },
    post: (url: string, fields: Fields = {}, more: Record<string, string> = { 'sec-fetch-site': 'same-origin' }) => {
      const form = new URLSearchParams({ form_token: token });
      for (const [name, value] of Object.entries(fields)) {
        form.delete(name);
        for (const each of [value].flat()) form.append(name, each);
      }
      return send({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...more },
        payload: form.toString(),
      });
    },
  };
}
