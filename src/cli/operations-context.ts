import type { Parts } from '../compose.ts';
import type { LogLevel } from '../config.ts';
import type { Context } from '../context/context.ts';
import { createLog } from '../log.ts';
import type { Io } from './output.ts';

/** The context of the operations that brokers call too, for a command; its log goes to standard error. */
export const operationsContext = (parts: Parts, io: Io, logLevel: LogLevel): Context & Pick<Parts, 'actor'> => ({
  ...parts,
  log: createLog(logLevel, { write: io.err }),
});
