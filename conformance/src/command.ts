import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { innermost } from './errors.ts';
import { reportJunit, reportText } from './report.ts';
import { ConformanceError, type Report, runConformance } from './run.ts';

/** Where the command writes: the report, and what it waits for. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
}

interface Option {
  name: string;
  /** What stands for its value in the help; a switch has none. */
  value?: string;
  required?: true;
  description: string;
}

/** The command's options, here and in `broker conformance`. */
export const OPTIONS: readonly Option[] = [
  { name: 'base-url', value: 'url', required: true, description: 'the base address, ending in /api' },
  { name: 'key', value: 'key', required: true, description: 'a sandbox key with admin:full; its sandbox is made anew' },
  {
    name: 'key-without-scopes',
    value: 'key',
    description: 'a sandbox key without scopes, to check what it is refused',
  },
  { name: 'expired-key', value: 'key', description: 'a key that has expired' },
  { name: 'revoked-key', value: 'key', description: 'a key that was revoked' },
  {
    name: 'firewalled-key',
    value: 'key',
    description: 'a key of a broker whose firewall does not admit this machine',
  },
  { name: 'plain-url', value: 'url', description: 'the same API over plain HTTP, to check that it is refused there' },
  { name: 'other-broker-key', value: 'key', description: 'a key of another broker, to check that each sees its own' },
  { name: 'live', description: 'the keys are live ones: check what reads, and nothing else' },
  { name: 'reset', description: 'make the sandbox anew although it is in use' },
  {
    name: 'full',
    description: 'check everything: some 400 calls, which take several windows of a key with 120 a minute',
  },
  { name: 'junit', value: 'file', description: 'write the results as JUnit XML too' },
  { name: 'json', description: 'print the answer as one JSON document' },
];

export type Values = Readonly<Record<string, string | boolean | undefined>>;

/** As the help shows it: `--key <key>`. */
export const flagsOf = ({ name, value }: Option): string => `--${name}${value === undefined ? '' : ` <${value}>`}`;

/**
 * Runs the checks, prints the report and writes the JUnit file.
 * @param values the options by name; the required ones are there
 * @returns the report; a `ConformanceError` is thrown where the run cannot begin
 */
export async function check(values: Values, { out, err }: Output): Promise<Report> {
  const text = (name: string) => values[name] as string | undefined;
  const keys = {
    noScopes: text('key-without-scopes'),
    expired: text('expired-key'),
    revoked: text('revoked-key'),
    firewalled: text('firewalled-key'),
    otherBroker: text('other-broker-key'),
  };
  const report = await runConformance({
    baseUrl: text('base-url') as string,
    apiKey: text('key') as string,
    otherKeys: Object.fromEntries(Object.entries(keys).filter(([, key]) => key !== undefined)),
    plainUrl: text('plain-url'),
    fast: values.full !== true && values.live !== true,
    live: values.live === true,
    reset: values.reset === true,
    clock: { monotonic: () => performance.now() },
    wait: sleep,
    tell: (line) => err(`${line}\n`),
  });
  const junit = text('junit');
  if (junit !== undefined) writeFileSync(junit, reportJunit(report));
  out(`${values.json ? JSON.stringify(report, null, 2) : reportText(report)}\n`);
  return report;
}

/**
 * The program by itself.
 * @param argv the arguments behind the program's name
 * @returns the exit code: 0, or 1 where a check failed or the run could not begin
 */
export async function run(argv: readonly string[], output: Output): Promise<number> {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: Object.fromEntries([
        ...OPTIONS.map(({ name, value }) => [name, { type: value === undefined ? 'boolean' : 'string' }] as const),
        ['help', { type: 'boolean' }] as const,
      ]),
    });
    if (values.help) {
      output.out(help());
      return 0;
    }
    const missing = OPTIONS.find(({ name, required }) => required && values[name] === undefined);
    if (missing) throw new ConformanceError(`${flagsOf(missing)} is missing (see --help)`);
    const { failed } = await check(values, output);
    return failed > 0 ? 1 : 0;
  } catch (error) {
    output.err(`${innermost(error)}\n`);
    return 1;
  }
}

function help(): string {
  const width = Math.max(...OPTIONS.map((option) => flagsOf(option).length));
  const lines = OPTIONS.map((option) => `  ${flagsOf(option).padEnd(width)}  ${option.description}`);
  return [
    'Checks from outside whether a deployment of the Broker API keeps its contract; live records are never changed',
    '',
    ...lines,
    '',
  ].join('\n');
}
