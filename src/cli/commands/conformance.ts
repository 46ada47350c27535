import type { Command } from 'commander';
import { check, flagsOf, OPTIONS, type Values } from '../../../conformance/src/command.ts';
import { type CliContext, command } from '../context.ts';
import { CommandError } from '../errors.ts';

/** Needs neither configuration nor database: it looks at a deployment from outside, as its callers do. */
export function register(program: Command, { io }: CliContext): void {
  const conformance = command(
    program,
    'conformance',
    'Hold a deployment against the contract through a sandbox key; nothing is changed there and no email leaves',
    'conformance --base-url https://api.example.com/api --key sk_test_...',
  );
  for (const option of OPTIONS) {
    // Every command has --json.
    if (option.name === 'json') continue;
    const add = option.required ? 'requiredOption' : 'option';
    conformance[add](flagsOf(option), option.description);
  }
  conformance.action(async () => {
    const values: Values = Object.fromEntries(
      conformance.options.map((option) => [option.name(), conformance.getOptionValue(option.attributeName())]),
    );
    const { failed, checks } = await check(values, io);
    if (failed > 0) throw new CommandError(`${failed} of ${checks.length} checks failed`, { answered: true });
  });
}
