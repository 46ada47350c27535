import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { run } from '../../src/cli/run.ts';
import type { Action } from '../../src/rules/offers.ts';
import { openSqlite } from '../../src/store/drivers/sqlite.ts';
import { OLDEST_RELEASE_SETTING } from '../../src/store/queries/update-state.ts';
import { PLANS } from '../support/operator-context.ts';

/** The commands that bring to the machine what the operator does (contract, sections 12.6 and 12.9). */

const REINSTALL: Action = {
  name: 'reinstall',
  display_name: 'Reinstall',
  description: null,
  requires_operator_review: false,
  destroys_data: true,
  options: [
    {
      name: 'image',
      display_name: 'Image',
      description: null,
      type: 'text',
      required: true,
      default: null,
      format: null,
      max_length: 20,
    },
  ],
};

async function setup(t: Test) {
  const directory = mkdtempSync(join(tmpdir(), 'broker-work-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  const db = join(directory, 'broker.db');
  const env = {
    DATABASE_URL: `file:${db}`,
    MAIL_OUTBOX_DIR: directory,
    PROVISIONER_URL: 'https://work.example.com/',
    PROVISIONER_SECRET: 'a secret that is long enough for it',
  };
  const broker = async (...args: string[]) => {
    const ran = { code: -1, out: '', err: '' };
    const io = {
      out: (text: string) => {
        ran.out += text;
      },
      err: (text: string) => {
        ran.err += text;
      },
      watched: false,
    };
    ran.code = await run(args, io, env);
    return ran;
  };
  const json = async (...args: string[]) => {
    const { code, out, err } = await broker(...args, '--json');
    t.strictSame([code, err], [0, ''], args.join(' '));
    return JSON.parse(out);
  };
  const inStore = async (work: (store: Awaited<ReturnType<typeof openSqlite>>) => Promise<unknown>) => {
    const store = await openSqlite({ file: db, monotonic: () => 0 });
    await work(store);
    await store.close();
  };
  const write = (name: string, content: unknown) => {
    writeFileSync(join(directory, name), JSON.stringify(content));
    return join(directory, name);
  };
  await json(
    ...['brokers', 'create', '--slug', 'acme', '--name', 'Acme'],
    ...['--contact', 'c@example.com', '--sender', 's@example.com'],
  );
  await json('plans', 'import', write('plans.json', PLANS), '--broker', 'acme');
  const service = { service_number: 101, plan: 'start', client: { name: 'Ada' } };
  await json('services', 'import', write('services.json', [service]), '--broker', 'acme');
  await inStore(async ({ read, tx }) => {
    const { id } = (await read.brokers.findBySlug('acme')) ?? { id: '' };
    const plans = await read.plans.list(id);
    const offer = { options: [], actions: [REINSTALL], hasCredentials: false, provisioning: null };
    await tx((change) => change.plans.putOffers(id, new Map(plans.map((plan) => [plan.id, offer]))));
  });
  return { broker, json, inStore };
}

t.test('suspend, resume, action and cancel submit requests of origin operator', async (t) => {
  const { broker, json } = await setup(t);
  t.match(await json('services', 'suspend', '101'), { open_request: { type: 'service-suspension' } });
  t.match(await json('services', 'resume', '101', '--records-only'), { service_status: 'active' });
  const action = ['services', 'action', '101', 'reinstall'];
  t.match(await broker(...action, '--set', 'image=debian-13'), { code: 2, err: /this needs --yes/ });
  t.match(await broker(...action, '--yes'), { code: 2, err: /^configuration\.image: is required|^--set image/ });
  t.match(await broker(...action, '--set', 'size=1', '--yes'), { code: 2, err: /--set size: is no option/ });
  t.match(await broker(...action, '--set', 'image', '--yes'), { code: 2, err: /must be a name, "=" and a value/ });
  t.match(await broker('services', 'action', '101', 'reboot'), { code: 1, err: /has no action "reboot"; it has rein/ });
  t.match(await json(...action, '--set', 'image=a=b', '--yes'), {
    type: 'service-action',
    origin: 'operator',
    request_status: 'accepted',
    configuration: { image: 'a=b' },
  });
  t.match(await broker('services', 'cancel', '101', '--type', 'immediate'), { code: 2, err: /this needs --yes/ });
  t.match(await json('services', 'cancel', '101', '--reason', 'Moves'), {
    type: 'cancellation',
    origin: 'operator',
    cancellation_type: 'end_of_term',
    reason: 'Moves',
  });
});

t.test('migrate --finish ends the update, and asks first', async (t) => {
  const { broker, json, inStore } = await setup(t);
  await inStore(({ tx }) => tx((change) => change.settings.put({ name: OLDEST_RELEASE_SETTING, value: '1.1.0' })));
  t.match(await json('status'), {
    oldest_release: '1.1.0',
    waits_for_finish: [/configuration of plan changes/, /kept apart/],
  });
  t.match(await broker('migrate', '--finish'), { code: 2, err: /this needs --yes/ });
  t.match(await json('migrate'), { oldest_release: '1.1.0' });
  t.match(await json('migrate', '--finish', '--yes'), { oldest_release: '1.2.0', waits_for_finish: [] });
  t.match(await json('migrate', '--finish'), { oldest_release: '1.2.0' }, 'nothing to ask about');
});
