import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import type { CredentialsQuestion, ProvisionedPlan, Work, WorkOutcome } from '../../src/ports.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createHttpCredentials } from '../../src/worker/credentials-http.ts';
import { createHttpMachines } from '../../src/worker/machines-http.ts';
import { createHttpProvisioner } from '../../src/worker/provisioner-http.ts';

const SECRET = 'secret-of-the-test';
export const NUMBER = 1_000_017;
export const UID = 'req_1';

/** Lays a connector out as it lies in its archive: next to what it shares. */
export function layOut(t: Test, name: string): string {
  const folder = t.testdir({});
  const files = readdirSync(`integrations/${name}`).filter((file) => file.endsWith('.mjs'));
  for (const file of files) copyFileSync(`integrations/${name}/${file}`, join(folder, file));
  copyFileSync('docs/examples/provisioning.mjs', join(folder, 'provisioning.mjs'));
  return folder;
}

/** A connector in a process of its own, and the product's own clients for it. */
export async function startConnector(
  t: Test,
  name: string,
  plan: ProvisionedPlan,
  environment: Record<string, string>,
) {
  const folder = layOut(t, name);
  const child = spawn(process.execPath, [join(folder, 'connector.mjs')], {
    env: { PROVISIONER_SECRET: SECRET, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    log += chunk;
  });
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  const url = `http://localhost:${/\d+/.exec(line)?.[0]}/`;
  const endpoint = { url, secret: SECRET, clock: systemClock, log: { warn: () => undefined } };
  const provisioner = createHttpProvisioner(endpoint);
  const credentials = createHttpCredentials(endpoint);
  const machines = createHttpMachines(endpoint);
  const call = (id: string, type: Work['type'], fields: Partial<Work> = {}) =>
    provisioner.fulfil({
      request_id: id,
      type,
      attempt: 1,
      token: null,
      broker_id: 'brk_1',
      service_uid: UID,
      broker: 'acme',
      history: 0,
      service_number: NUMBER,
      plan,
      configuration: {},
      action: null,
      new_plan: null,
      service: { configuration: {}, access: null },
      ...fields,
    } as unknown as Work);
  /** As the worker does: the same work again until it has ended, with the token. */
  async function fulfil(id: string, type: Work['type'], fields: Partial<Work> = {}): Promise<WorkOutcome> {
    let token: string | null = null;
    for (let turn = 0; turn < 60; turn += 1) {
      const outcome = await call(id, type, { token, ...fields });
      if (outcome.outcome === 'done' || outcome.outcome === 'failed') return outcome;
      if (outcome.outcome === 'in_progress') token = outcome.token;
    }
    throw new Error(`${type} did not end: ${log.slice(-1500)}`);
  }
  return {
    folder,
    provisioner,
    credentials,
    list: (after: string | null = null) => machines.list({ after, broker: null, history: 0 }),
    call,
    fulfil,
    log: () => log,
    create: (configuration: Work['configuration'] = {}, id = 'req_1') =>
      fulfil(id, 'service-creation', { new_plan: plan, configuration }),
    act: (id: string, action: string, fields: Partial<Work> = {}) =>
      fulfil(id, 'service-action', { action: { name: action }, ...fields }),
    read: (of: ProvisionedPlan = plan) =>
      credentials.read({ key: 'brk_1' }, {
        service_uid: UID,
        broker: 'acme',
        history: 0,
        service_number: NUMBER,
        service: {},
        plan: of,
      } as unknown as CredentialsQuestion),
  };
}
