import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import type { Test } from 'tap';

/**
 * A Service Broker made from the Open Service Broker API 2.17, strict in what it takes; with the modes of cloudfoundry's
 * overview-broker, as its source has them.
 */

type Fields = Record<string, unknown>;

interface Operation {
  name: string;
  method: string;
  planThen: string;
  /** Calls for the instance until it has ended. */
  turns: number;
  failed: boolean;
  end: () => void;
}

interface Instance {
  service_id: string;
  plan_id: string;
  parameters: Fields;
  /** Left behind by a creation that failed. */
  isBroken: boolean;
  operation?: Operation | undefined;
  bindings: Map<string, { plan_id: string; credentials: Fields }>;
}

class Answer extends Error {
  constructor(
    readonly status: number,
    readonly body: Fields | string = {},
    readonly headers: Record<string, string> = {},
  ) {
    super();
  }
}

const refused = (status: number, error: string, description = `This is ${error}`) =>
  new Answer(status, { error, description });

export const LOGIN = { username: 'platform', password: 'open:sesame' };
export const SERVICE_ID = 'e6c0a1f2-service';
export const SMALL = 'b1-small';
export const LARGE = 'b2-large';
export const DASHBOARD = 'https://dashboard.example.com/';

const SIZE = { type: 'object', required: ['storage-gb'] };
const PROPERTIES = {
  'storage-gb': { type: 'integer', minimum: 10, maximum: 100, default: 10, title: 'Storage in GB' },
  logLevel: { type: 'string', enum: ['info', 'debug'], default: 'info', description: 'What is logged' },
  replicas: { type: 'integer', enum: [1, 3], default: 1 },
  backups: { type: 'boolean' },
  host: { type: 'string', format: 'hostname' },
  network: { type: 'object', properties: { cidr: { type: 'string' } } },
};

const CATALOG = {
  services: [
    {
      id: SERVICE_ID,
      name: 'postgres',
      description: 'A database',
      bindable: true,
      plan_updateable: true,
      plans: [
        {
          id: SMALL,
          name: 'small',
          description: 'A small one',
          schemas: {
            service_instance: {
              create: { parameters: { ...SIZE, properties: PROPERTIES } },
              update: { parameters: { type: 'object', properties: { logLevel: PROPERTIES.logLevel } } },
            },
          },
        },
        { id: LARGE, name: 'large', description: 'A large one', bindable: true },
      ],
    },
  ],
};

export async function startServiceBroker(t: Test) {
  const instances = new Map<string, Instance>();
  const calls: string[] = [];
  const created: string[] = [];
  let names = 0;
  const state = {
    isAsync: true,
    bindsAsync: false,
    isRetrievable: true,
    /** Whether every other answer to a change is lost, the first one included. */
    isLossy: false,
    /** Calls whose work is done and whose answer is lost. */
    lose: [] as RegExp[],
    /** Answers in place of the broker's, once; `done` where the work is done all the same. */
    answer: [] as Array<[call: RegExp, answer: Answer, done?: 'done']>,
    /** The methods of the next operations that fail. */
    fail: [] as string[],
    /** Of an operation. */
    operationLength: 8,
    /** Whether operations have names: overview-broker's have none. */
    isNamed: true,
    /** What every call is answered with: a mode of overview-broker. */
    mode: undefined as Answer | undefined,
  };

  function begin(instance: Instance, method: string, end: () => void): Answer {
    const at = state.fail.indexOf(method);
    const failed = at >= 0;
    if (failed) state.fail.splice(at, 1);
    if (!state.isAsync && failed) throw new Answer(500, { description: 'It broke' });
    if (!state.isAsync) {
      end();
      return new Answer(method === 'PUT' ? 201 : 200, method === 'PUT' ? { dashboard_url: DASHBOARD } : {});
    }
    names += 1;
    const name = `${method}-${names}-`.padEnd(state.operationLength, 'x');
    instance.operation = { name, method, planThen: instance.plan_id, turns: 3, failed, end };
    return new Answer(202, {
      ...(state.isNamed && { operation: name }),
      ...(method === 'PUT' && { dashboard_url: DASHBOARD }),
    });
  }

  const goesOn = ({ operation }: Instance) => operation !== undefined && operation.turns > 0;

  function goOn(instance: Instance) {
    const { operation } = instance;
    if (!operation || !goesOn(instance)) return;
    operation.turns -= 1;
    if (goesOn(instance)) return;
    if (!operation.failed) operation.end();
    else if (operation.method === 'PUT') instance.isBroken = true;
  }

  function lastOperation(instance: Instance | undefined, query: Fields): Answer {
    if (!instance) return new Answer(410);
    const { operation, plan_id } = instance;
    const planThen = operation?.planThen ?? plan_id;
    if (query.plan_id !== planThen) return refused(400, 'BadRequest', 'another plan');
    if (state.isNamed && query.operation !== operation?.name) return refused(400, 'BadRequest', 'another operation');
    if (goesOn(instance)) return new Answer(200, { state: 'in progress' }, { 'Retry-After': '3' });
    if (!operation?.failed) return new Answer(200, { state: 'succeeded' });
    return new Answer(200, { state: 'failed', description: 'No space is left', instance_usable: true });
  }

  function put(id: string, body: Fields): Answer {
    if (!body.organization_guid || !body.space_guid) return refused(400, 'BadRequest', 'no organization');
    const {
      service_id,
      plan_id,
      parameters = {},
    } = body as { service_id: string; plan_id: string; parameters?: Fields };
    const existing = instances.get(id);
    if (existing) {
      const asked = { service_id, plan_id, parameters };
      const { operation, isBroken, bindings: _, ...is } = existing;
      if (isBroken || !isDeepStrictEqual(is, asked)) return refused(409, 'Conflict', 'There is another one');
      if (!operation || !goesOn(existing)) return new Answer(200);
      return operation.method === 'PUT' ? new Answer(202, { operation: operation.name }) : busy();
    }
    const level = parameters.logLevel;
    if (level !== undefined && !['info', 'debug'].includes(String(level)))
      return refused(400, 'BadRequest', 'no such level');
    const instance: Instance = { service_id, plan_id, parameters, isBroken: false, bindings: new Map() };
    instances.set(id, instance);
    created.push(id);
    try {
      return begin(instance, 'PUT', () => undefined);
    } catch (answer) {
      instance.isBroken = true;
      return answer as Answer;
    }
  }

  const busy = () => refused(422, 'ConcurrencyError');

  function bindingOf(instance: Instance, method: string, id: string, body: Fields): Answer {
    const { bindings } = instance;
    const binding = bindings.get(id);
    if (method === 'DELETE') return bindings.delete(id) ? new Answer(200) : new Answer(410);
    if (method === 'GET') return binding ? new Answer(200, binding) : new Answer(404);
    if (binding) {
      if (binding.plan_id !== body.plan_id) return refused(409, 'Conflict', 'There is another one');
      return new Answer(200, state.bindsAsync ? {} : { credentials: binding.credentials });
    }
    names += 1;
    const credentials = {
      username: 'app',
      password: `pass-${names}`,
      uri: 'postgres://db.example.com:5432/app',
      port: 5432,
      ca: 'x'.repeat(1500),
      nothing: null,
    };
    bindings.set(id, { plan_id: String(body.plan_id), credentials });
    return state.bindsAsync ? new Answer(202, { operation: 'binding' }) : new Answer(201, { credentials });
  }

  function answerTo(method: string, path: string, query: Fields, body: Fields): Answer {
    if (path === '/v2/catalog') return new Answer(200, CATALOG);
    const [, id = '', rest = ''] = /^\/v2\/service_instances\/([0-9a-f-]{36})(.*)$/.exec(path) ?? [];
    if (id === '') return new Answer(404, 'Not found');
    const known = instances.get(id);
    const given = ['PUT', 'PATCH'].includes(method) ? body : query;
    const plans = CATALOG.services[0]?.plans.map((plan) => plan.id) ?? [];
    if (given.service_id !== SERVICE_ID || !plans.includes(String(given.plan_id))) {
      return refused(400, 'BadRequest', 'no such plan');
    }
    if (known) goOn(known);
    const instance = instances.get(id);
    if (rest === '/last_operation') return lastOperation(instance, query);
    const [, bindingId = '', last] = /^\/service_bindings\/([0-9a-f-]{36})(\/last_operation)?$/.exec(rest) ?? [];
    if (last) return new Answer(200, { state: 'succeeded' });
    const isChange = method !== 'GET';
    if (isChange && state.isAsync && query.accepts_incomplete !== 'true') return refused(422, 'AsyncRequired');
    if (bindingId !== '') {
      if (!instance) return new Answer(410);
      return goesOn(instance) ? busy() : bindingOf(instance, method, bindingId, body);
    }
    if (method === 'PUT') return put(id, body);
    if (!instance) return new Answer(method === 'DELETE' ? 410 : 404);
    if (method === 'GET') {
      const { operation, service_id, plan_id, parameters } = instance;
      if (!state.isRetrievable || (operation?.method === 'PUT' && goesOn(instance))) return new Answer(404);
      return new Answer(200, { service_id, plan_id, parameters, dashboard_url: DASHBOARD });
    }
    if (goesOn(instance)) return busy();
    if (method === 'DELETE') {
      if (query.plan_id !== instance.plan_id) return refused(400, 'BadRequest', 'another plan');
      if (instance.bindings.size > 0) return refused(400, 'BadRequest', 'There are bindings');
      return begin(instance, 'DELETE', () => instances.delete(id));
    }
    const { plan_id, parameters = {} } = body as { plan_id: string; parameters?: Fields };
    const changed = { ...instance.parameters, ...parameters };
    if (plan_id === instance.plan_id && isDeepStrictEqual(changed, instance.parameters)) return new Answer(200);
    return begin(instance, 'PATCH', () => {
      Object.assign(instance, { plan_id, parameters: changed });
    });
  }

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const { method = '' } = request;
    const call = `${method} ${pathname.replace(/^.*\/service_instances\/[0-9a-f-]+/, '').replace(/[0-9a-f-]{36}/, 'ID')}`;
    const content = await text(request);
    if (method !== 'GET') calls.push(call);
    const authorization = `Basic ${Buffer.from(`${LOGIN.username}:${LOGIN.password}`).toString('base64')}`;
    const isIn = (pattern: RegExp) => pattern.test(call);
    const replaced = state.answer.findIndex(([pattern]) => isIn(pattern));
    const [, instead, isDone] = replaced < 0 ? [] : (state.answer.splice(replaced, 1)[0] ?? []);
    let answer = instead;
    if (request.headers['x-broker-api-version'] !== '2.17') answer = new Answer(412);
    else if (request.headers.authorization !== authorization) answer = new Answer(401);
    else if (state.mode) answer = state.mode;
    else if (!instead || isDone) {
      const real = answerTo(method, pathname, Object.fromEntries(searchParams), content ? JSON.parse(content) : {});
      answer = instead ?? real;
    }
    const lost = state.lose.findIndex(isIn);
    if (lost >= 0) state.lose.splice(lost, 1);
    if (lost >= 0 || (state.isLossy && method !== 'GET' && calls.length % 2 === 1)) return request.socket.destroy();
    const { status, body, headers } = answer as Answer;
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, instances, calls, created, state };
}

export { Answer };
