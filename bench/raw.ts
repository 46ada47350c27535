import { setImmediate } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { systemClock } from '../src/clock.ts';
import type { NewId } from '../src/ids.ts';

/**
 * What an upgrade asks of the database, written straight with the driver: one transaction a commit, each of them on
 * the disk before the next begins. Returns a function that does them for so many seconds and tells how many a second.
 */
export function rawTransactions(file: string, newId: NewId): (seconds: number) => Promise<number> {
  const db = new Sqlite(file);
  db.pragma('synchronous = FULL');
  db.pragma('wal_autocheckpoint = 10000');
  db.pragma('foreign_keys = ON');
  const claim = db.prepare(`insert into idempotency_records
    (broker_id, mode, namespace, key, fingerprint, status_code, body, created_at, expires_at)
    values ('brk_bench', 'live', 'action', ?, ?, 0, '', ?, ?) on conflict do nothing`);
  const service = db.prepare("select * from services where broker_id = 'brk_bench' and number = ?");
  const targets = db.prepare(`select * from plans where broker_id = 'brk_bench' and active
    and (id = ? or slug_folded = ? or display_name_folded = ?)`);
  const plan = db.prepare("select * from plans where broker_id = 'brk_bench' and id = ?");
  const open = db.prepare(`select * from requests where broker_id = 'brk_bench' and service_number = ?
    and status in ('pending', 'operator_review', 'accepted')`);
  const request = db.prepare(`insert into requests (id, broker_id, service_number, type, status, origin, submitted_at,
      updated_at, current_plan_id, new_plan_id, effective_at, due_at, attempts)
    values (?, 'brk_bench', ?, 'plan-upgrade', 'accepted', 'broker', ?, ?, 'one', 'two', ?, ?, 0)`);
  const history = db.prepare(`insert into request_history (id, broker_id, request_id, status, at, actor)
    values (?, 'brk_bench', ?, 'accepted', ?, 'broker')`);
  const count = db.prepare(`insert into counters values ('brk_bench', 'requests', 'plan-upgrade', 'accepted', 1)
    on conflict do update set value = value + excluded.value`);
  const answer = db.prepare(`update idempotency_records set status_code = 200, body = ?
    where broker_id = 'brk_bench' and mode = 'live' and namespace = 'action' and key = ?`);
  const body = 'x'.repeat(600);
  const fingerprint = 'f'.repeat(64);

  const upgrade = db.transaction((number: number) => {
    const now = systemClock.now();
    const name = `bench-${number}`;
    claim.run(name, fingerprint, now, now + 1);
    service.get(number);
    targets.all('two', 'two', 'two');
    plan.get('one');
    open.all(number);
    const id = newId('req', now);
    request.run(id, number, now, now, now, now);
    history.run(newId('evt', now), id, now);
    count.run();
    answer.run(body, name);
  });

  let next = 0;
  return async (seconds) => {
    const first = next;
    const start = systemClock.monotonic();
    const end = start + seconds * 1000;
    while (systemClock.monotonic() < end) {
      next += 1;
      upgrade.immediate(next);
      // The server in this process is not to think that it is overloaded.
      if (next % 10 === 0) await setImmediate();
    }
    return ((next - first) * 1000) / (systemClock.monotonic() - start);
  };
}
