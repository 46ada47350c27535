import createClient, {
  type Client,
  type ClientPathsWithMethod,
  type MaybeOptionalInit,
  type MethodResponse,
} from 'openapi-fetch';
import { BrokerError, silence } from './errors.ts';
import { exchange, type Fetch, type Patience, type Repeatability, sleep } from './exchange.ts';
import { TAKES_IDEMPOTENCY_KEY } from './generated/operations.ts';
import type { paths } from './generated/schema.ts';

type Wire = Client<paths, 'application/json'>;
type Method = 'get' | 'post';

/** The paths that can be read, and those that do something. */
export type GetPath = ClientPathsWithMethod<Wire, 'get'>;
export type PostPath = ClientPathsWithMethod<Wire, 'post'>;

/** What an answer tells beside its envelope. */
export interface Facts {
  /** 202 where the operator reviews the request: do not submit it again. */
  status: number;
  /** The `X-Request-Id` to quote when asking for help. */
  requestId: string | null;
  /** Whether an earlier call under the same idempotency key did the work. */
  replayed: boolean;
}

/** A success: the envelope (`data`, `message`, of lists `pagination`) and what the headers say. */
export type Answer<M extends Method, P extends ClientPathsWithMethod<Wire, M>> = MethodResponse<Wire, M, P> & Facts;

/** `params` (`path`, `query`), `body` and `signal` of a call; what an operation requires is required here. */
export type Init<M extends Method, P extends keyof paths> = MaybeOptionalInit<paths[P], M>;
type Optional<I> = undefined extends I ? [init?: I] : [init: I];
type PostInit<P extends keyof paths> =
  | (NonNullable<Init<'post', P>> & { idempotencyKey?: string })
  | Extract<Init<'post', P>, undefined>;

/** Lists, by their path, and what one item of them is. */
export type ListPath = {
  [P in GetPath]: MethodResponse<Wire, 'get', P> extends { data: readonly unknown[] } ? P : never;
}[GetPath];
export type Item<P extends ListPath> =
  MethodResponse<Wire, 'get', P> extends { data: ReadonlyArray<infer Each> } ? Each : never;

export type ServiceRecord = Item<'/v1/services'>;
export type RequestRecord = MethodResponse<Wire, 'get', '/v1/requests/{request_id}'>['data'];

export interface ClientOptions extends Partial<Omit<Patience, 'wait'>> {
  /** The API's base address, ending in `/api`. */
  baseUrl: string;
  apiKey: string;
  /** In place of the global one. */
  fetch?: Fetch;
  /** In place of a timer; for tests. */
  wait?: Patience['wait'];
}

export interface WaitOptions {
  signal?: AbortSignal;
  /** How long to wait in all: a quarter of an hour unless told. Work bound to the end of a term can take a month. */
  maxWaitSeconds?: number;
  /** Called with the record each time it was looked up. */
  onProgress?: (request: RequestRecord) => void;
}

export interface BrokerClient {
  get<P extends GetPath>(path: P, ...init: Optional<Init<'get', P>>): Promise<Answer<'get', P>>;
  /**
   * Operations that take an idempotency key get one that is kept for all tries of this call. Give `idempotencyKey`
   * yourself, and store it before the call, where a crash of your program must not do the work twice.
   */
  post<P extends PostPath>(path: P, ...init: Optional<PostInit<P>>): Promise<Answer<'post', P>>;
  /** The items of a list, page after page. New records that come in meanwhile can show an item twice. */
  each<P extends ListPath>(path: P, init?: Init<'get', P>): AsyncGenerator<Item<P>, void, void>;
  /** Asks as often as `next_check_seconds` says until the request is final, and answers its record. */
  waitUntilFinal(requestId: string, options?: WaitOptions): Promise<RequestRecord>;
  /**
   * All services that changed, oldest change first, to keep a copy in step: store each, and the greatest
   * `updated_date` with them, and begin there the next time. It begins a minute earlier by itself, because changes
   * made at the same time can become visible late, so a service may come again as it already is.
   */
  changedServices(since?: string | Date, options?: { signal?: AbortSignal }): AsyncGenerator<ServiceRecord, void, void>;
}

/** The largest page that there is. */
const PAGE = 100;
const OVERLAP_MS = 60_000;

const PATIENCE: Patience = { timeoutMs: 30_000, maxRepeats: 3, maxWaitSeconds: 60, wait: sleep };

/** An email to a client is never sent twice by a program, whatever the answer says. */
const NEVER_REPEATED = '/v1/services/{service_number}/cancellation-warning';

/** A client of the Broker API. Every call throws a `BrokerError`, or the reason of the signal that ended it. */
export function createBrokerClient({ baseUrl, apiKey, fetch, ...options }: ClientOptions): BrokerClient {
  const patience = { ...PATIENCE, ...options };
  const send: Fetch = fetch ?? ((url, init) => globalThis.fetch(url, init));
  const wire = createClient<paths, 'application/json'>({ baseUrl, headers: { authorization: `Bearer ${apiKey}` } });
  wire.use({
    async onRequest({ request, schemaPath }) {
      if (request.method === 'POST' && TAKES_IDEMPOTENCY_KEY.has(schemaPath) && !request.headers.has(KEY_HEADER)) {
        request.headers.set(KEY_HEADER, newIdempotencyKey());
      }
      return exchange(request, repeatability(request, schemaPath), send, patience);
    },
  });

  async function call(method: Method, path: string, init: object = {}): Promise<Facts & Record<string, unknown>> {
    // The public signatures hold path and init together; what they share here is their shape.
    const request = wire.request as unknown as LooseRequest;
    const { data, response } = await request(method, path, init);
    return {
      ...data,
      status: response.status,
      requestId: response.headers.get('x-request-id'),
      replayed: response.headers.get('idempotent-replayed') === 'true',
    };
  }

  async function* each(path: string, init: LooseInit = {}): AsyncGenerator<unknown, void, void> {
    const { params, ...rest } = init;
    const { page, perPage, limit = perPage ?? PAGE, offset: start, ...filters } = params?.query ?? {};
    const size = Number(limit);
    let offset = Number(start ?? (Number(page ?? 1) - 1) * size);
    for (;;) {
      const answer = await call('get', path, {
        ...rest,
        params: { ...params, query: { ...filters, limit: size, offset } },
      });
      const { data, pagination } = answer as unknown as { data: unknown[]; pagination: { total: number } };
      yield* data;
      offset += data.length;
      if (data.length === 0 || offset >= pagination.total) return;
    }
  }

  async function* changedServices(
    since: string | Date = new Date(0),
    { signal }: { signal?: AbortSignal } = {},
  ): AsyncGenerator<ServiceRecord, void, void> {
    let query: object = { updated_since: new Date(Math.max(0, new Date(since).getTime() - OVERLAP_MS)).toISOString() };
    for (;;) {
      const answer = await call('get', '/v1/services', {
        params: { query: { ...query, limit: PAGE } },
        ...(signal && { signal }),
      });
      const { data } = answer as unknown as { data: ServiceRecord[] };
      yield* data;
      const last = data.at(-1);
      if (!last || data.length < PAGE) return;
      query = { updated_since: last.updated_date, after_number: last.service_number };
    }
  }

  async function waitUntilFinal(requestId: string, options: WaitOptions = {}): Promise<RequestRecord> {
    const { signal = new AbortController().signal, maxWaitSeconds = 900, onProgress } = options;
    let waited = 0;
    for (;;) {
      const init = { params: { path: { request_id: requestId } }, signal };
      const { data } = (await call('get', '/v1/requests/{request_id}', init)) as unknown as { data: RequestRecord };
      onProgress?.(data);
      if (data.is_final) return data;
      // The API always names a time for what is not final; a minute is what it names where somebody has to decide.
      const seconds = Math.max(1, data.next_check_seconds ?? 60);
      waited += seconds;
      if (waited > maxWaitSeconds) {
        throw new BrokerError(silence('not_final_yet', `Still ${data.request_status} after ${maxWaitSeconds} s`), 1);
      }
      await patience.wait(seconds * 1000, signal);
    }
  }

  const post = (path: string, init: { idempotencyKey?: string; headers?: object } = {}) => {
    const { idempotencyKey, ...rest } = init;
    if (idempotencyKey === undefined) return call('post', path, rest);
    return call('post', path, { ...rest, headers: { ...rest.headers, [KEY_HEADER]: idempotencyKey } });
  };

  // Below this line everything is typed by the document; above, by what all operations have in common.
  return {
    get: (path: string, init?: object) => call('get', path, init),
    post,
    each,
    waitUntilFinal,
    changedServices,
  } as unknown as BrokerClient;
}

const KEY_HEADER = 'x-idempotency-key';

function repeatability({ method, headers }: Request, path: string): Repeatability {
  if (path === NEVER_REPEATED) return 'never';
  return method === 'GET' || (TAKES_IDEMPOTENCY_KEY.has(path) && headers.has(KEY_HEADER)) ? 'harmless' : 'if_refused';
}

/** 128 random bits. `randomUUID` would be missing on pages that were not loaded over HTTPS. */
const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

interface LooseInit {
  params?: { query?: Record<string, unknown> };
}

/** Of a call that did not throw: whatever is no success has thrown in `exchange`. */
type LooseRequest = (
  method: Method,
  path: string,
  init: object,
) => Promise<{ data: Record<string, unknown>; response: Response }>;
