import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { systemClock } from '../../clock.ts';
import type { OtherKeys } from '../../conformance/kit.ts';
import { reportJunit, reportText } from '../../conformance/report.ts';
import { runConformance } from '../../conformance/run.ts';
import { type CliContext, command } from '../context.ts';
import { CommandError } from '../errors.ts';

interface Options {
  baseUrl: string;
  key: string;
  keyWithoutScopes?: string;
  expiredKey?: string;
  revokedKey?: string;
  firewalledKey?: string;
  plainUrl?: string;
  fast?: true;
  junit?: string;
  json?: true;
}

/** Needs neither configuration nor database: it looks at a deployment from outside, as its callers do. */
export function register(program: Command, { io }: CliContext): void {
  command(
    program,
    'conformance',
    'Hold a deployment against the contract through a sandbox key; nothing is changed there and no email leaves',
    'conformance --base-url https://api.example.com/api --key sk_test_...',
  )
    .requiredOption('--base-url <url>', 'the base address, ending in /api')
    .requiredOption('--key <key>', 'a sandbox key with admin:full')
    .option('--key-without-scopes <key>', 'a sandbox key without scopes, to check what it is refused')
    .option('--expired-key <key>', 'a key that has expired')
    .option('--revoked-key <key>', 'a key that was revoked')
    .option('--firewalled-key <key>', 'a key of a broker whose firewall does not admit this machine')
    .option('--plain-url <url>', 'the same API over plain HTTP, to check that it is refused there')
    .option('--fast', 'leave out the stories and the burst, which take two minutes')
    .option('--junit <file>', 'write the results as JUnit XML too')
    .action(async ({ baseUrl, key, plainUrl, fast, junit, json, ...keys }: Options) => {
      const report = await runConformance({
        baseUrl,
        apiKey: key,
        otherKeys: otherKeys(keys),
        plainUrl,
        fast: fast === true,
        clock: systemClock,
        wait: sleep,
        tell: (line) => io.err(`${line}\n`),
      });
      if (junit !== undefined) writeFileSync(junit, reportJunit(report));
      io.out(`${json ? JSON.stringify(report, null, 2) : reportText(report)}\n`);
      if (report.failed > 0)
        throw new CommandError(`${report.failed} of ${report.checks.length} checks failed`, [], true);
    });
}

function otherKeys({ keyWithoutScopes, expiredKey, revokedKey, firewalledKey }: Partial<Options>): OtherKeys {
  const keys = { noScopes: keyWithoutScopes, expired: expiredKey, revoked: revokedKey, firewalled: firewalledKey };
  return Object.fromEntries(Object.entries(keys).filter(([, key]) => key !== undefined));
}
