import type { FastifyInstance } from 'fastify';
import type { Waiting } from '../../src/operator/system/pending-work.ts';
import type { ProcessInfo } from '../../src/operator/system/system.ts';
import type { OperatorContext } from '../../src/operator/use-case/dependencies.ts';
import type { ImportRunner } from '../../src/operator/use-case/import-task.ts';

/** What pages need. */
export interface ConsoleOptions {
  /** For reading; changes use `request.context`, which names the operator as the actor. */
  context: Omit<OperatorContext, 'actor'>;
  /** Version, settings and health of the process. */
  processInfo: ProcessInfo;
  /** The console's base URL, without a slash at the end. */
  consoleUrl: string;
  /** The sender of sign-in emails; undefined: the operator's own address. */
  sender: string | undefined;
  /** Whether the operator's API is served beside the pages. */
  operatorApi: boolean;
  /** Whether an email provider is configured. */
  mails: boolean;
  /** Reads and imports files in a worker thread. */
  runImport: ImportRunner;
}

export type Routes = (app: FastifyInstance, options: ConsoleOptions) => Promise<void>;

/** An entry of the navigation and its routes. */
export interface Section {
  label: string;
  path: string;
  /** Shown to administrators alone. */
  role?: 'admin';
  /** The number of records that need an operator. */
  badge?: (waiting: Waiting) => number;
  routes: Routes;
}

/** Entries of the navigation that stand together. */
export interface SectionGroup {
  label: string;
  sections: readonly Section[];
}
