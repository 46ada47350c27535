import Sqlite from 'better-sqlite3';
import { BUCKETS } from '../src/rules/histograms.ts';
import { systemClock as clock } from '../src/runtime/clock.ts';
import { createIds } from '../src/runtime/ids.ts';
import { openSqlite } from '../src/store/drivers/sqlite.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

export interface Amounts {
  brokers: number;
  services: number;
  /** Calls of the last day, each by one of two keys of a broker. */
  calls: number;
}

/** Chance that is the same in every run. */
function chance(): () => number {
  let state = 7;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const OPERATIONS = ['listServices', 'getService', 'listRequests', 'upgradeService', 'checkAccess', 'listPlans'];
const OUTCOMES = [
  ['ok', 9],
  ['rate_limit_exceeded', 3],
  ['not_found', 7],
  ['invalid_parameter', 5],
  ['server_error', 9],
] as const;

/**
 * Fills a new SQLite file with what an operator looks through: brokers with two keys each, services, a tenth of them with
 * requests and emails, and a day of calls, added up as the worker does it and every tenth of them kept by itself.
 */
export async function fillForOperators(file: string, { brokers, services, calls }: Amounts): Promise<void> {
  const store = await openSqlite({ file, monotonic: clock.monotonic });
  await store.close();
  const db = new Sqlite(file);
  db.pragma('synchronous = OFF');
  db.pragma('journal_mode = WAL');
  const now = clock.now();
  const random = chance();
  const newId = createIds();
  const insert = (table: string, row: Record<string, unknown>) =>
    db
      .prepare(
        `insert into ${table} (${Object.keys(row).join()}) values (${Object.keys(row)
          .map(() => '?')
          .join()})`,
      )
      .run(...Object.values(row));

  db.exec('begin');
  for (let n = 0; n < brokers; n += 1) {
    const broker_id = `brk_${n}`;
    insert('brokers', {
      id: broker_id,
      slug: `broker-${n}`,
      name:
        n % 50 === 7
          ? `استضافة الشمال ${n}`
          : n % 50 === 9
            ? `${'A very long name of a hosting company '.repeat(4)}${n}`
            : `Hosting ${n}`,
      status: 'active',
      contact_email: `office@broker-${n}.example.com`,
      sender_email: `mail@broker-${n}.example.com`,
      ip_restriction_enabled: 0,
      created_at: now - n * 1000,
      updated_at: now,
    });
    for (const plan of ['one', 'two']) {
      insert('plans', {
        id: `pln_${plan}_${n}`,
        broker_id,
        slug: plan,
        slug_folded: plan,
        display_name: `Plan ${plan}`,
        display_name_folded: `plan ${plan}`,
        upgrade_rank: plan === 'one' ? 1 : 2,
        billing_type: 'monthly',
        active: 1,
        requires_operator_review: 0,
        vcpu: 1,
        created_at: now,
        updated_at: now,
      });
      insert('counters', {
        broker_id,
        subject: 'services',
        kind: `pln_${plan}_${n}`,
        status: 'active',
        slot: 0,
        value: plan === 'one' ? Math.ceil((services - n) / brokers) : 0,
      });
      insert('api_keys', {
        id: `key_${plan}_${n}`,
        broker_id,
        public_id: `${plan === 'one' ? 'A' : 'B'}${String(n).padStart(7, '0')}`,
        hash: 'none',
        mode: 'live',
        name: `Key ${plan}`,
        scopes: '["admin:full"]',
        status: 'active',
        created_at: now,
        last_used_at: now,
      });
    }
  }
  db.exec(`with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${services - 1})
    insert into services (number, broker_id, status, plan_id, label, client_name, client_email, client_email_folded,
      search_text, requires_operator_review, created_at, renewal_at, renewal_anchor, updated_at)
    select 1000001 + n, 'brk_' || (n % ${brokers}), case when n % 97 = 0 then 'suspended' else 'active' end,
      'pln_one_' || (n % ${brokers}), 'server-' || n || '.example.com', 'Client ' || n, 'c' || n || '@example.com',
      'c' || n || '@example.com', 'server-' || n || '.example.comZclient ' || n, n % 1000 = 3, ${now} - n * 1000,
      ${now} + n % 2592000 * 1000, 0, ${now} - n % 7919 * 1000 from numbers`);
  const requests = Math.floor(services / 10);
  for (let n = 0; n < requests; n += 1) {
    const at = now - (requests - n) * 60_000;
    const id = newId('req', at);
    const status = n % 400 === 0 ? 'operator_review' : n % 50 === 0 ? 'failed' : 'completed';
    const broker_id = `brk_${n % brokers}`;
    insert('requests', {
      id,
      broker_id,
      service_number: 1000001 + n,
      type: 'plan-upgrade',
      status,
      origin: 'broker',
      submitted_at: at,
      updated_at: at,
      current_plan_id: `pln_one_${n % brokers}`,
      new_plan_id: `pln_two_${n % brokers}`,
      attempts: 0,
    });
    insert('request_history', { id: newId('evt', at), broker_id, request_id: id, status, at, actor: 'broker' });
    insert('email_log', {
      id: newId('eml', at),
      broker_id,
      kind: 'plan-change-completed',
      service_number: 1000001 + n,
      request_id: id,
      status: n % 700 === 0 ? 'unknown' : n % 90 === 0 ? 'failed' : 'sent',
      recipient: `c${n}@example.com`,
      subject: 'Your plan',
      html: `<p>${'Your service has a new plan. '.repeat(40)}</p>`,
      text: 'Your service has a new plan. '.repeat(20),
      created_at: at,
    });
  }
  db.exec(`insert into counters (broker_id, subject, kind, status, slot, value)
    select broker_id, 'requests', type, status, 0, count(*) from requests group by broker_id, type, status`);

  const sums = new Map<string, { calls: number; durations: number[] }>();
  const call = db.prepare(
    'insert into calls (request_id, at, broker_id, key_id, method, operation, status, code, duration_us) values (?,?,?,?,?,?,?,?,?)',
  );
  for (let n = 0; n < calls; n += 1) {
    // A few brokers call most.
    const broker = Math.floor(random() ** 3 * brokers);
    const key = `key_${random() < 0.8 ? 'one' : 'two'}_${broker}`;
    const at = now - Math.floor(random() * DAY);
    const operation = OPERATIONS[Math.floor(random() ** 2 * OPERATIONS.length)] as string;
    const [outcome, gate] = (random() < 0.93 ? OUTCOMES[0] : OUTCOMES[Math.floor(random() * OUTCOMES.length)]) as [
      string,
      number,
    ];
    const name = `${at - (at % MINUTE)}|brk_${broker}|${key}|${operation}|${outcome}|${gate}`;
    let sum = sums.get(name);
    if (!sum) {
      sum = { calls: 0, durations: new Array<number>(BUCKETS).fill(0) };
      sums.set(name, sum);
    }
    sum.calls += 1;
    (sum.durations[5 + Math.floor(random() ** 2 * 10)] as number) += 1;
    call.run(
      `c-${n}`,
      at,
      `brk_${broker}`,
      key,
      'POST',
      operation,
      outcome === 'ok' ? 200 : 400,
      outcome === 'ok' ? null : outcome,
      3000,
    );
  }
  const columns = Array.from({ length: BUCKETS }, (_, index) => `d${index}`);
  const into = `insert into usage (stage, from_at, broker_id, key_id, operation, outcome, gate, calls, ${columns.join()})`;
  const row = db.prepare(`${into} values (${Array.from({ length: 8 + BUCKETS }, () => '?').join()})`);
  // In the order in which they would have come in.
  for (const [name, { calls, durations }] of [...sums].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [fromAt, ...rest] = name.split('|');
    row.run(1, Number(fromAt), ...rest.slice(0, 4), Number(rest[4]), calls, ...durations);
  }
  const all = ['calls', ...columns].map((column) => `sum(${column})`).join();
  for (const [stage, length] of [
    [2, 60 * MINUTE],
    [3, DAY],
  ] as const) {
    db.exec(`${into} select ${stage}, from_at - from_at % ${length}, broker_id, key_id, operation, outcome, gate, ${all}
      from usage where stage = 1 group by 2, 3, 4, 5, 6, 7`);
  }
  for (const [stage, of] of [
    [4, 1],
    [5, 2],
    [6, 3],
  ] as const) {
    db.exec(`${into} select ${stage}, from_at, '', '', '', outcome, gate, ${all}
      from usage where stage = ${of} group by 2, 6, 7`);
  }
  for (const [stage, of] of [
    [7, 2],
    [8, 3],
  ] as const) {
    db.exec(`${into} select ${stage}, from_at, broker_id, key_id, '', case outcome when 'ok' then 'ok' else '' end, 0, ${all}
      from usage where stage = ${of} group by 2, 3, 4, 6`);
  }
  db.exec('commit; analyze; pragma wal_checkpoint(truncate)');
  db.close();
}
