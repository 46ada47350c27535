import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenAPIV3_1 } from 'openapi-types';
import { reportJunit, reportText } from './report.ts';
import { type Report, runConformance } from './run.ts';

/** Where the command writes: the report, and its progress. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
}

interface Option {
  name: string;
  /** The placeholder of its value in the help; a switch has none. */
  value?: string;
  required?: true;
  description: string;
}

/** The options of `broker conformance`, beside `--json`. */
export const OPTIONS: readonly Option[] = [
  { name: 'base-url', value: 'url', required: true, description: 'the base address, ending in /api' },
  { name: 'key', value: 'key', required: true, description: 'a sandbox key with admin:full; its sandbox is reset' },
  { name: 'key-without-scopes', value: 'key', description: 'a sandbox key without scopes, to check missing_scope' },
  { name: 'expired-key', value: 'key', description: 'a key that has expired' },
  { name: 'revoked-key', value: 'key', description: 'a key that was revoked' },
  {
    name: 'firewalled-key',
    value: 'key',
    description: 'a key of a broker whose firewall does not admit this machine',
  },
  { name: 'plain-url', value: 'url', description: 'the same API over plain HTTP, to check that it is refused there' },
  { name: 'other-broker-key', value: 'key', description: 'a key of another broker, to check that each sees its own' },
  { name: 'live', description: 'the keys are live ones: run only the checks that read' },
  { name: 'reset', description: 'reset the sandbox although it is in use' },
  { name: 'full', description: 'run every check; a key with 120 calls a minute needs several minutes' },
  { name: 'junit', value: 'file', description: 'write the results as JUnit XML too' },
];

export type Values = Readonly<Record<string, string | boolean | undefined>>;

/** As the help shows it: `--key <key>`. */
export const flagsOf = ({ name, value }: Option): string => `--${name}${value === undefined ? '' : ` <${value}>`}`;

/**
 * Runs the checks, prints the report and writes the JUnit file.
 * @param values the options by name; the required ones are there
 * @param document the OpenAPI document of this release
 * @returns the report; throws a `ConformanceError` where the run cannot begin
 */
export async function check(values: Values, document: OpenAPIV3_1.Document, { out, err }: Output): Promise<Report> {
  const text = (name: string) => values[name] as string | undefined;
  const otherKeys = Object.entries({
    noScopes: text('key-without-scopes'),
    expired: text('expired-key'),
    revoked: text('revoked-key'),
    firewalled: text('firewalled-key'),
    otherBroker: text('other-broker-key'),
  }).filter(([, key]) => key !== undefined);
  const report = await runConformance({
    baseUrl: text('base-url') as string,
    apiKey: text('key') as string,
    otherKeys: Object.fromEntries(otherKeys),
    plainUrl: text('plain-url'),
    document,
    full: values.full === true,
    live: values.live === true,
    reset: values.reset === true,
    clock: { monotonic: () => performance.now() },
    wait: sleep,
    log: (line) => err(`${line}\n`),
  });
  const junit = text('junit');
  if (junit !== undefined) writeFileSync(junit, reportJunit(report));
  out(`${values.json ? JSON.stringify(report, null, 2) : reportText(report)}\n`);
  return report;
}
