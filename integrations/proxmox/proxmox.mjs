/* Proxmox VE behind PROXMOX_URL, and its tasks. */
import { addressOf, exchange, inProgress, setting } from './provisioning.mjs';

const url = addressOf('PROXMOX_URL');
const apiToken = setting('PROXMOX_TOKEN');

/** The state has changed since it was read, or will soon: reading it again is the cure. */
export const PASSING = /is locked|can't lock file|got timeout|already running|not running/;

export class ProxmoxError extends Error {
  constructor(call, { status, statusText, body }) {
    const { message = '', errors } = body ?? {};
    super(`${call}: ${status} ${statusText} ${message} ${errors ? JSON.stringify(errors) : ''}`);
    Object.assign(this, { status, fields: Object.keys(errors ?? {}) });
  }
}

/** Something is done to the VM now: how that ends does not matter here, but the state that it leaves. */
export class Busy extends Error {}

/** @returns `data` of the answer: of most changes the id of a task */
export async function proxmox(method, path, fields = {}) {
  const answer = await exchange(`${url}/api2/json${path}`, {
    ...{ method, headers: { Authorization: `PVEAPIToken=${apiToken}` } },
    ...((method === 'POST' || method === 'PUT') && { body: new URLSearchParams(fields) }),
  });
  const { status, body } = answer;
  if (status < 200 || status > 299) throw new ProxmoxError(`${method} ${path}`, answer);
  if (body?.data === undefined) throw new Error(`${method} ${path}: no answer of Proxmox`);
  return body.data;
}

/** Starts a task, or changes at once where Proxmox has no task for it (null): the next call looks again. */
export const begin = async (method, path, fields) => inProgress((await proxmox(method, path, fields)) ?? undefined);

/** The task of the token: its type and whether it runs; undefined where Proxmox knows none. */
export async function taskOf(upid) {
  const [, node, , , , type] = upid.split(':');
  const path = `/nodes/${encodeURIComponent(node)}/tasks/${encodeURIComponent(upid)}/status`;
  const task = await proxmox('GET', path).catch((error) => {
    if (error.status === 400) return undefined;
    throw error;
  });
  return task && { type, ...task };
}
