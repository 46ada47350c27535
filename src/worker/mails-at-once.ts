import type { Mailer } from '../operations/ports.ts';

/** The same mailer, with so many messages on their way at a time. The others wait, as many as their worker has hands. */
export function mailsAtOnce(mailer: Mailer, most: number): Mailer {
  let free = most;
  const waiting: Array<() => void> = [];
  return {
    ...mailer,
    async send(message) {
      if (free > 0) free -= 1;
      else await new Promise<void>((go) => waiting.push(go));
      try {
        return await mailer.send(message);
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free += 1;
      }
    },
  };
}
