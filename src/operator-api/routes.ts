import { Readable } from 'node:stream';
import type { TSchema } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fail } from '../errors.ts';
import { runAsOperator } from '../limits/operator-slot.ts';
import { mayAct } from '../operator/people/operators.ts';
import { USE_CASES } from '../operator/registry.ts';
import type { Pieces } from '../operator/use-case/exports.ts';
import type { ImportRunner } from '../operator/use-case/import-task.ts';
import type { Listed } from '../operator/use-case/pages.ts';
import type { Seen } from '../operator/use-case/stale.ts';
import type { AnyUseCase, Performed, UseCaseDeps } from '../operator/use-case/use-case.ts';
import { pagination } from '../records.ts';
import { NO_SERVICE } from '../rules/service-number.ts';
import { isoTimestamp } from '../rules/timestamps.ts';
import type { OperatorRole } from '../store/queries/operators.ts';
import { toApiError } from './failures.ts';
import { bodyOf, isList, MAX_TOTAL, paramsOf, placeOf, querySchema, readWindow, responsesOf } from './schemas.ts';

/** Bodies of imports. Contract, section 13.2. Bytes. */
const MAX_IMPORT_BYTES = 64 * 1024 * 1024;

type Given = Record<string, unknown>;

/** Everything that has an address. */
export const SERVED: readonly AnyUseCase[] = USE_CASES.filter(({ path }) => path !== undefined);

/** A route for each use case of the registry. The one place where a declaration becomes a call of HTTP. */
export default async function routes(app: FastifyInstance, { context }: { context: Omit<UseCaseDeps, 'actor'> }) {
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());
  /**
   * An import ends with the server, which it would hold up for minutes; it is all or nothing. That a client has left is not
   * to be seen: one that closes its half of the connection may wait for its answer.
   */
  const runImportOf =
    (keyId: string): ImportRunner =>
    async (task, onProgress) => {
      try {
        return await context.runImport({ ...task, importer: { keyId } }, onProgress, closing.signal);
      } catch (error) {
        throw closing.signal.aborted ? fail.overloaded(RETRY_AFTER_SECONDS, error) : error;
      }
    };
  for (const useCase of SERVED) {
    const { role = 'viewer', title, summary, description, takesFile } = useCase;
    const { method, path, params } = placeOf(useCase);
    app.route({
      method,
      url: path,
      config: { role, rawBody: takesFile === true },
      ...(takesFile && { bodyLimit: MAX_IMPORT_BYTES }),
      schema: {
        operationId: operationIdOf(useCase),
        tags: [tagOf(useCase)],
        summary: summary ?? title,
        description,
        ...(params.length > 0 && { params: paramsOf(useCase, params) }),
        querystring: method === 'GET' ? querySchema(useCase) : NO_QUERY,
        ...(method === 'POST' && { body: bodyOf(useCase) }),
        ...(useCase.reasons && { reasons: useCase.reasons }),
        response: responsesOf(useCase),
      },
      handler(request, reply) {
        const { keyId } = request.operator;
        const deps = { ...context, runImport: runImportOf(keyId) };
        return runAsOperator(keyId, () => answer(useCase, deps, request, reply));
      },
    });
  }
}

/** A server that ends is soon replaced. */
const RETRY_AFTER_SECONDS = 5;

const NO_FIELDS = Buffer.from('{}');

const NO_QUERY = { type: 'object', properties: {}, additionalProperties: false };

/**
 * `keys create` as `createKey`, the verb first, as in v1: with the verb of its address, and with several records where it
 * is a list or an import.
 */
export const operationIdOf = (useCase: AnyUseCase): string => {
  const { name } = useCase;
  const special = SPECIAL_IDS[name];
  if (special !== undefined) return special;
  const words = name.split(/[ -]/);
  const [verb = '', ...nouns] =
    words.length === 1 ? ['show', ...words] : [words.at(-1) as string, ...words.slice(0, -1)];
  const isOfMany = isList(useCase) || useCase.takesFile === true;
  const noun = (nouns.at(-1) as string).replace(/s$/, (plural) =>
    isOfMany || SAME.has(nouns.at(-1) as string) ? plural : '',
  );
  return `${verb === 'set' ? 'update' : verb}${noun[0]?.toUpperCase()}${noun.slice(1)}`;
};

/** Nouns that are no plural. */
const SAME = new Set(['status']);

/** Where the words of the command are in another order, or in others than those of the address. */
const SPECIAL_IDS: Readonly<Record<string, string | undefined>> = {
  'audit list': 'listAuditEntries',
  'emails settle-unknown': 'settleUnknownEmails',
  'firewall allow': 'allowAddress',
  'firewall check': 'checkAddress',
  'firewall list': 'listFirewallRules',
  'firewall remove': 'removeFirewallRule',
  'requests go-on': 'releaseRequest',
  'requests go-on-all': 'releaseRequests',
  'requests reasons': 'listFailureReasons',
  'requests retry-all': 'retryRequests',
  'services action': 'actOnService',
  'services compare': 'compareServices',
  'services remove': 'removeServices',
  'services resume': 'unsuspendService',
  'templates send-test': 'testTemplate',
  'templates versions': 'listTemplateVersions',
};

const tagOf = ({ name }: AnyUseCase): string => {
  const [group = ''] = name.split(' ');
  return `${group[0]?.toUpperCase()}${group.slice(1)}`;
};

async function answer(
  useCase: AnyUseCase,
  context: Omit<UseCaseDeps, 'actor'>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { method, status } = placeOf(useCase);
  const actor = { kind: 'operator', name: request.operator.name, clientIp: request.clientIp } as const;
  const deps: UseCaseDeps = { ...context, actor };
  const params = request.params as Given;
  if (params.service_number === NO_SERVICE) throw fail.serviceNotFound();
  const given = method === 'GET' ? (request.query as Given) : (request.body as Given);
  const { record: result, isChanged } = await call(useCase, deps, params, given).catch((error: unknown) => {
    throw toApiError(error, method === 'GET' ? 'query' : 'body', params);
  });
  if (isPieces(result)) return reply.type(JSON_TYPE).send(Readable.from(wrapped(result)));
  reply.code(isChanged ? status : 200);
  const visible = visibleTo(request.operator.role, useCase);
  if (!isList(useCase)) return { success: true, data: visible(result as object) };
  const window = readWindow(given);
  const { serverDate, history } = result as Partial<Listed<object>>;
  if (serverDate !== undefined) reply.header('x-server-date', isoTimestamp(serverDate));
  const { records, total } = pageOf(result as Listed<object> | object[], window);
  return { success: true, data: records.map(visible), pagination: { ...pagination(window, total), history } };
}

/** What a record shows to a role: the fields that need a higher one are left out. */
function visibleTo(role: OperatorRole, { answer }: AnyUseCase): (record: object) => object {
  const fields = Object.entries<TSchema>(answer?.properties ?? {});
  const hidden = fields.filter(([, schema]) => !mayAct(role, schema['x-required-role'] ?? 'viewer'));
  if (hidden.length === 0) return (record) => record;
  const names = hidden.map(([name]) => name);
  return (record) => Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

/** Asks what the use case asks, and does it. */
async function call(useCase: AnyUseCase, deps: UseCaseDeps, params: Given, given: Given): Promise<Performed<unknown>> {
  // No body counts as an empty object.
  if (useCase.takesFile)
    return useCase.perform(deps, { ...params, content: ArrayBuffer.isView(given) ? given : NO_FIELDS });
  const { seen, confirm, ...fields } = given;
  const known = useCase.input.properties as object;
  const input = { ...flat(fields, known), ...params, ...(isList(useCase) && readWindow(given)) };
  const question = confirm === true ? null : await useCase.ask(deps, input);
  if (question !== null) throw fail.invalidState('confirmation_needed', question);
  return useCase.perform(deps, input, seen === undefined ? undefined : (flat(seen as Given, known) as Seen));
}

/**
 * Nested fields by their paths: `{ client: { email } }` as `client.email`; what is a field as a whole stays so. A group that
 * is null stands for null in all of its fields, as in a record.
 */
function flat(values: Given, known: object, prefix = ''): Given {
  const fields: Given = {};
  for (const [name, value] of Object.entries(values)) {
    const path = prefix + name;
    if (value === null && !(path in known)) {
      for (const field of Object.keys(known)) if (field.startsWith(`${path}.`)) fields[field] = null;
      continue;
    }
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value) && !(path in known);
    if (isGroup) Object.assign(fields, flat(value as Given, known, `${path}.`));
    else fields[path] = value;
  }
  return fields;
}

/** The records of a page; a list that is short by its nature comes whole. */
function pageOf(result: Listed<object> | object[], { limit, offset }: { limit: number; offset: number }) {
  if (Array.isArray(result)) return { records: result.slice(offset, offset + limit), total: result.length };
  return { records: result.records, total: Math.min(result.total ?? MAX_TOTAL, MAX_TOTAL) };
}

const JSON_TYPE = 'application/json; charset=utf-8';

const isPieces = (result: unknown): result is Pieces =>
  typeof result === 'object' && result !== null && Symbol.asyncIterator in result;

/** A document that is made piece by piece, in the envelope. */
async function* wrapped(pieces: Pieces) {
  yield Buffer.from('{"success":true,"data":');
  yield* pieces;
  yield Buffer.from('}');
}
