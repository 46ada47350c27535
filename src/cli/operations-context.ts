import type { Parts } from '../compose.ts';
import type { LogLevel } from '../config.ts';
import { createLog } from '../log.ts';
import { type Context, createContext } from '../operations/context.ts';
import type { Io } from './output.ts';

/** The context of the operations that brokers call too, for a command; its log goes to standard error. */
export const operationsContext = (parts: Parts, io: Io, logLevel: LogLevel): Context =>
  createContext({ ...parts, log: createLog(logLevel, { write: io.err }) });
