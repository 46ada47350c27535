import createClient, {
  type Client,
  type ClientPathsWithMethod,
  type MaybeOptionalInit,
  type MethodResponse,
} from 'openapi-fetch';
import { checkedKey } from './api-key.ts';
import { type ClientOptions, withPath } from './client.ts';
import { exchange, type Fetch, PATIENCE } from './exchange.ts';
import type { paths } from './generated/operator-schema.ts';
import { bodyText, pathText, queryText } from './values.ts';

export { BrokerError, type Failure, failureOf } from './errors.ts';
export type {
  components as OperatorComponents,
  operations as OperatorOperations,
  paths as OperatorPaths,
} from './generated/operator-schema.ts';

type Wire = Client<paths, 'application/json'>;
type Method = 'get' | 'post';

/** The paths that can be read, and those that do something. */
export type OperatorGetPath = ClientPathsWithMethod<Wire, 'get'>;
export type OperatorPostPath = ClientPathsWithMethod<Wire, 'post'>;

/** A success: the envelope, its status, and the `X-Request-Id` to quote when asking for help. */
export type OperatorAnswer<M extends Method, P extends ClientPathsWithMethod<Wire, M>> = MethodResponse<Wire, M, P> & {
  status: number;
  requestId: string | null;
};

/** `params` (`path`, `query`), `body` and `signal` of a call; what an operation requires is required here. */
export type OperatorInit<M extends Method, P extends keyof paths> = MaybeOptionalInit<paths[P], M>;
type Optional<I> = undefined extends I ? [init?: I] : [init: I];

/** Lists, by their path, and what one item of them is. */
export type OperatorListPath = {
  [P in OperatorGetPath]: MethodResponse<Wire, 'get', P> extends { pagination: unknown } ? P : never;
}[OperatorGetPath];
export type OperatorItem<P extends OperatorListPath> =
  MethodResponse<Wire, 'get', P> extends { data: ReadonlyArray<infer Each> } ? Each : never;

export interface OperatorClient {
  get<P extends OperatorGetPath>(path: P, ...init: Optional<OperatorInit<'get', P>>): Promise<OperatorAnswer<'get', P>>;
  /** Sent once: the operator's API has no idempotency keys. Look before you repeat what had no answer. */
  post<P extends OperatorPostPath>(
    path: P,
    ...init: Optional<OperatorInit<'post', P>>
  ): Promise<OperatorAnswer<'post', P>>;
  /** The items of a list, page after page, at most the first 10000; what changes meanwhile may come twice, or not. */
  each<P extends OperatorListPath>(
    path: P,
    ...init: Optional<OperatorInit<'get', P>>
  ): AsyncGenerator<OperatorItem<P>, void, void>;
}

/** The largest page that there is, and where lists end. */
const PAGE = 100;
const END = 10_000;

/**
 * A client of the operator's API. Every call throws a `BrokerError`, or the reason of the signal that ended it; a
 * `TypeError`, before anything is sent, where a value cannot be sent.
 */
export function createOperatorClient({
  baseUrl,
  apiKey,
  fetch,
  now: _,
  ...options
}: Omit<ClientOptions, 'baseUrl'> & {
  /** The API's base address on the console's port, ending in `/operator`. */
  baseUrl: string;
}): OperatorClient {
  const patience = { ...PATIENCE, ...options };
  const send: Fetch = fetch ?? ((url, init) => globalThis.fetch(url, init));
  const headers = { authorization: `Bearer ${checkedKey(apiKey)}` };
  const wire = createClient<paths, 'application/json'>({
    baseUrl: baseUrl.trim(),
    headers,
    querySerializer: queryText,
    pathSerializer: pathText,
    bodySerializer: bodyText,
  });
  wire.use({ onRequest: ({ request }) => exchange(request, request.method === 'GET', send, patience) });

  async function call(method: Method, path: string, init: object = {}) {
    // The public signatures hold path and init together; what they share here is their shape.
    const request = wire.request as unknown as LooseRequest;
    const { data, response } = await request(method, path, withPath(init));
    return { ...data, status: response.status, requestId: response.headers.get('x-request-id') };
  }

  async function* each(path: string, init: LooseInit = {}): AsyncGenerator<unknown, void, void> {
    for (let offset = 0; offset <= END; offset += PAGE) {
      const query = { ...init.params?.query, limit: PAGE, offset };
      const answer = await call('get', path, { ...init, params: { ...init.params, query } });
      const { data, pagination } = answer as unknown as { data: unknown[]; pagination: { total: number } };
      yield* data;
      if (offset + data.length >= pagination.total || data.length === 0) return;
    }
  }

  return {
    get: (path: string, init?: object) => call('get', path, init),
    post: (path: string, init?: object) => call('post', path, init),
    each,
  } as unknown as OperatorClient;
}

interface LooseInit {
  params?: { path?: object; query?: Record<string, unknown> };
}

/** Of a call that did not throw: whatever is no success has thrown in `exchange`. */
type LooseRequest = (
  method: Method,
  path: string,
  init: object,
) => Promise<{ data: Record<string, unknown>; response: Response }>;
