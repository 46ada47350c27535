/* LXD, or Incus, behind its Unix socket or over HTTPS: the hosts, calls, operations and files. */
import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { checkServerIdentity } from 'node:tls';
import { exchange, setting } from './provisioning.mjs';

/** Where packages of LXD and Incus have their socket. */
const SOCKETS = [
  '/var/lib/lxd/unix.socket',
  '/var/snap/lxd/common/lxd/unix.socket',
  '/var/lib/incus/unix.socket',
  '/run/incus/unix.socket',
];
/** Seconds that a call waits for an operation's end, before it is asked for again. */
const WAIT_S = 20;

/** What LXD has refused; or, where `isOperation`, has begun and failed. */
export class LxdError extends Error {
  constructor(what, status, words, isOperation = false) {
    super(`${what}: ${status} ${words}`);
    Object.assign(this, { status, words, isOperation });
  }
}

/** The socket of this machine's LXD or Incus; undefined where there is none. */
export const findSocket = () => setting('LXD_SOCKET', SOCKETS.find(existsSync) ?? '') || undefined;

/** @returns the hosts by name, as the file LXD_HOSTS has them; without it this machine's own as `local` */
export function readHosts() {
  const file = setting('LXD_HOSTS', '');
  const listed = file ? JSON.parse(readFileSync(file, 'utf8')) : { local: { socket: findSocket() } };
  return new Map(Object.entries(listed).map(([name, settings]) => [name, createHost(name, settings)]));
}

function connectionOf(name, { socket, url, certificate, client_certificate: cert, client_key: key }) {
  if (!url && socket) return { base: 'http://lxd', socketPath: socket };
  if (!url) throw new Error(`Host ${name}: no socket of LXD or Incus was found, and there is no url`);
  if (!url.startsWith('https:')) throw new Error(`Host ${name}: the url has to be https`);
  if (!cert || !key) throw new Error(`Host ${name}: client_certificate and client_key are missing`);
  const connection = { base: url.replace(/\/$/, ''), cert: readFileSync(cert), key: readFileSync(key) };
  if (!certificate) return connection;
  const pinned = new X509Certificate(readFileSync(certificate)).fingerprint256;
  return {
    ...connection,
    ca: readFileSync(certificate),
    // LXD issues its certificate itself, for names that need not be the one of the URL.
    checkServerIdentity: (host, peer) => (peer.fingerprint256 === pinned ? undefined : checkServerIdentity(host, peer)),
  };
}

/** @param settings `socket`, or `url` with certificates; `project`, and `memory_mb` that may be sold */
function createHost(name, { project, memory_mb = Number.POSITIVE_INFINITY, ...settings }) {
  const { base, ...connection } = connectionOf(name, settings);

  /** @returns the answer's `metadata`; of what goes on, its `operation` */
  async function call(method, path, { query = {}, body, content, headers } = {}) {
    const url = new URL(path, base);
    for (const [key, value] of Object.entries({ ...(project && { project }), ...query }))
      url.searchParams.set(key, value);
    const answer = await exchange(url, {
      ...connection,
      method,
      headers: { 'Content-Type': content === undefined ? 'application/json' : 'application/octet-stream', ...headers },
      body: content ?? (body && JSON.stringify(body)),
    });
    const { status, statusText } = answer;
    const what = `${name}: ${method} ${path}`;
    if (status > 299) throw new LxdError(what, status, answer.body?.error ?? statusText);
    if (answer.body?.type === 'async') return { operation: answer.body.operation };
    if (answer.body?.type !== 'sync') throw new Error(`${what}: no answer of LXD`);
    return answer.body.metadata;
  }

  /** What is there under a path; undefined where nothing is. */
  const find = (path, query) =>
    call('GET', path, { query }).catch((error) => {
      if (error.status === 404) return undefined;
      throw error;
    });

  /** Waits for the end of an operation. One that has ended is forgotten after seconds: how it ended is not known then. */
  async function end(operation, what = operation) {
    for (;;) {
      const {
        status_code: code,
        err,
        metadata,
      } = await call('GET', `${operation.split('?')[0]}/wait`, {
        query: { timeout: WAIT_S },
      });
      if (code >= 400) throw new LxdError(`${name}: ${what}`, code, err, true);
      if (code >= 200) return metadata;
    }
  }

  /** Makes a call that begins an operation, and waits for its end. @returns what the operation says */
  async function run(method, path, body) {
    const { operation } = await call(method, path, { body });
    return end(operation, `${method} ${path}`);
  }

  /** Works of LXD on instances of these names, whoever began them; shells that people have open are none. */
  async function tasksOf(names) {
    const { running = [] } = await call('GET', '/1.0/operations', { query: { recursion: 1 } });
    const isOfThem = (path) => names.includes(path.split('?')[0].split('/').at(-1));
    return running.filter(({ class: kind, resources }) => kind === 'task' && resources?.instances?.some(isOfThem));
  }

  const instance = (of) => `/1.0/instances/${of}`;

  return {
    ...{ name, memoryMb: memory_mb, call, find, run, tasksOf },
    /** Waits until LXD does nothing to these instances any more. How that ended is seen afterwards. */
    async settled(names) {
      for (;;) {
        const tasks = await tasksOf(names);
        if (tasks.length === 0) return;
        await Promise.all(tasks.map(({ id }) => end(`/1.0/operations/${id}`).catch(() => undefined)));
      }
    },
    /** Runs a command in an instance that runs. @returns its exit code; 126 and 127 where there is no such command */
    async exec(of, command) {
      const body = { command, 'wait-for-websocket': false, 'record-output': false, interactive: false };
      try {
        const { return: code } = await run('POST', `${instance(of)}/exec`, body);
        return code;
      } catch (error) {
        // LXD makes a failed operation of these two.
        if (/command not found/i.test(error.words)) return 127;
        if (/not executable/i.test(error.words)) return 126;
        throw error;
      }
    },
    /** Writes a file of root in an instance, whether or not that runs; without content a folder. */
    async write(of, path, mode, content) {
      const kind = content === undefined ? 'directory' : 'file';
      const fields = { type: kind, mode, uid: '0', gid: '0' };
      // Incus has renamed them.
      const headers = Object.entries(fields).flatMap(([key, value]) => [
        [`X-LXD-${key}`, value],
        [`X-Incus-${key}`, value],
      ]);
      const options = { query: { path }, headers: Object.fromEntries(headers), content: content ?? '' };
      await call('POST', `${instance(of)}/files`, options);
    },
  };
}
