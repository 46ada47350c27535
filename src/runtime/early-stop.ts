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
 * Ends the process where a signal has arrived. Node passes a signal on only in a turn of its event loop: while a start
 * computes without a pause none comes through, and the server would begin to listen before it learns of its stop.
 */
export async function stopIfAsked(): Promise<void> {
  // Node may have collected the events of the first turn already; the second one has those that came since.
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
