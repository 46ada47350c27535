import type { Command } from 'commander';
import { listenElsewhere } from '../../compose.ts';
import { checkMailConfig } from '../../config.ts';
import { keepNotices } from '../../operator/notices/keeper.ts';
import { openMetrics } from '../../process/metrics.ts';
import { handOverSignals } from '../../runtime/early-stop.ts';
import { composeWorker } from '../../worker/compose.ts';
import { action, type CliContext, command, operationsContext } from '../context.ts';
import { printRecord } from '../output.ts';

export function register(program: Command, context: CliContext): void {
  command(
    program,
    'worker',
    'Complete accepted requests until SIGTERM or SIGINT; for servers that run with WORKER=off',
    'worker',
  ).action(
    action(
      context,
      async (parts) => {
        const config = context.config();
        checkMailConfig(config);
        const { store, mailer, observeCall: observe, close } = await openMetrics(config, parts);
        const operations = operationsContext({ ...parts, store, mailer }, context.io, config.logLevel);
        const worker = composeWorker(config, operations, { due: parts.due, observe });
        const stopListening = await listenElsewhere(config, parts.due);
        const stopped = signalled();
        parts.clockKeeper.start();
        await parts.recordsKeeper.open();
        parts.recordsKeeper.start();
        worker.start();
        const notices = keepNotices({ ...operations, ...config.notices });
        context.io.err('The worker has started; stop it with SIGTERM or Ctrl-C\n');
        await stopped;
        // What is in its hands is finished first; a second signal ends the process at once.
        await worker.stop();
        await notices.stop();
        await stopListening();
        close();
        return { worker: 'stopped' };
      },
      printRecord,
      { migrating: 'existing' },
    ),
  );
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

const signalled = (): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      for (const signal of SIGNALS) process.off(signal, done);
      resolve();
    };
    handOverSignals(() => {
      for (const signal of SIGNALS) process.on(signal, done);
    });
  });
