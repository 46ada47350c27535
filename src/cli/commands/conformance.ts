import type { Command } from 'commander';
import { check, flagsOf, OPTIONS, type Values } from '../../../conformance/command.ts';
import { type CliContext, command } from '../context.ts';
import { CommandError } from '../errors.ts';

/** Needs neither configuration nor database: it calls a deployment from outside, as its clients do. */
export function register(program: Command, { io }: CliContext): void {
  const conformance = command(
    program,
    'conformance',
    'Check a deployment against the contract with a sandbox key; no live record changes and no email is sent',
    'conformance --base-url https://api.example.com/api --key sk_test_...',
  );
  for (const option of OPTIONS)
    conformance[option.required ? 'requiredOption' : 'option'](flagsOf(option), option.description);
  conformance.action(async () => {
    const values: Values = Object.fromEntries(
      conformance.options.map((option) => [option.name(), conformance.getOptionValue(option.attributeName())]),
    );
    // Imported on demand: every route is loaded for it.
    const { currentDocument } = await import('../../process/api-document.ts');
    const { failed, checks } = await check(values, await currentDocument(), io);
    if (failed > 0) throw new CommandError(`${failed} of ${checks.length} checks failed`, { answered: true });
  });
}
