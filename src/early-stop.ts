import { constants } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

let handler: ((signal: NodeJS.Signals) => void) | undefined;

/**
 * Ends the process at once on SIGTERM and SIGINT, until `handOverSignals`. The first process of a container ignores a
 * signal without a handler, so this comes before anything is loaded. Contract, section 10.
 * @param exitCode of a service, for which a stop is no failure; a command ends as the shell reports a signal (143, 130)
 */
export function stopEarly(exitCode?: number): void {
  handler = (signal) => process.exit(exitCode ?? 128 + constants.signals[signal]);
  for (const signal of SIGNALS) process.on(signal, handler);
}

/**
 * Lets signals that came meanwhile end the process. They are events: while a start loads and computes without waiting for
 * anything, they wait, and would otherwise reach the handler that comes after it has begun to listen.
 */
export async function stopIfAsked(): Promise<void> {
  // Of the first turn's events some may be collected already; those of the second are not.
  await turn();
  await turn();
}

/**
 * Takes these handlers away where something else ends gracefully from now on.
 * @param install adds the other handlers; it comes first, because a signal that has arrived is lost with the last handler
 */
export function handOverSignals(install: () => void): void {
  install();
  if (handler) for (const signal of SIGNALS) process.off(signal, handler);
  handler = undefined;
}
