import { checkNotices, type NoticeDeps } from './check.ts';

const CHECK_EVERY_MS = 30_000;

export interface NoticeKeeper {
  stop(): Promise<void>;
}

/** Checks every half minute whether people have to be notified, in each process that stays. */
export function keepNotices(deps: NoticeDeps): NoticeKeeper {
  let checking: Promise<unknown> | undefined;
  const timer = setInterval(() => {
    checking ??= checkNotices(deps)
      .catch((error: unknown) => deps.log.warn({ err: error }, 'notices could not be checked; they are again soon'))
      .finally(() => {
        checking = undefined;
      });
  }, CHECK_EVERY_MS).unref();
  return {
    async stop() {
      clearInterval(timer);
      await checking;
    },
  };
}
