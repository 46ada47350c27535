import type { FastifyInstance } from 'fastify';
import type { OperatorContext } from '../src/operator/dependencies.ts';
import type { ImportRunner } from '../src/operator/importing.ts';
import type { Waiting } from '../src/operator/pending-work.ts';
import type { ProcessInfo } from '../src/operator/system.ts';

/** What the pages work with: the use cases' parts, and what the console knows of itself. */
export interface ConsoleOptions {
  /** For reading alone: what changes something does so in the visitor's name, with `request.context`. */
  context: Omit<OperatorContext, 'actor'>;
  /** What the process knows of itself. */
  processInfo: ProcessInfo;
  /** What links begin with, without a slash at the end. */
  consoleUrl: string;
  /** Where mails with links come from; undefined: the operator's own address. */
  sender: string | undefined;
  /** Whether a mail provider is there to send them. */
  mails: boolean;
  /** Reads and imports files, beside the event loop. */
  runImport: ImportRunner;
}

export type Routes = (app: FastifyInstance, options: ConsoleOptions) => Promise<void>;

/** A page with a place in the navigation, and the routes that belong to it. */
export interface Section {
  label: string;
  path: string;
  /** How many things wait there for a person. */
  badge?: (waiting: Waiting) => number;
  routes: Routes;
}
