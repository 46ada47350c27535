import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import t from 'tap';
import { currentDocument, currentOperatorDocument } from '../../src/process/api-document.ts';
import { VERSION } from '../../src/runtime/version.ts';

type Json = Record<string, unknown>;
interface Parameter {
  name: string;
  in: string;
  schema: Json;
  example?: unknown;
}
interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, { content: Record<string, { examples?: Record<string, Json> }> }>;
}
interface Document {
  info: { version: string };
  tags: Array<{ name: string }>;
  paths: Record<string, Record<string, Operation>>;
  components: { examples: Record<string, Json>; schemas: Record<string, Json> };
}

const DOCUMENTS = {
  v1: (await currentDocument()) as unknown as Document,
  operator: (await currentOperatorDocument()) as unknown as Document,
};

const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );

/** The component that a body refers to. */
function bodyOf({ components }: Document, requestBody: Operation['requestBody']): unknown {
  const { $ref } = requestBody?.content['application/json']?.schema ?? {};
  return components.schemas[String($ref).replace('#/components/schemas/', '')];
}

/** Visits every object of a tree, with its place. */
function walk(node: unknown, visit: (node: Json, place: string) => void, place = ''): void {
  if (node === null || typeof node !== 'object') return;
  if (!Array.isArray(node)) visit(node as Json, place);
  for (const [name, inner] of Object.entries(node)) walk(inner, visit, `${place}/${name}`);
}

for (const [name, document] of Object.entries(DOCUMENTS)) {
  const operations = operationsOf(document);

  t.test(`${name}: a constant has its type and stands in enum too, for tools that know no const`, async (t) => {
    const faults: string[] = [];
    walk(document, (node, place) => {
      if (!Object.hasOwn(node, 'const') || place.includes('/example')) return;
      const only = JSON.stringify([node.const]);
      if (JSON.stringify(node.enum) !== only || typeof node.type !== 'string') faults.push(place);
    });
    t.strictSame(faults, []);
  });

  t.test(`${name}: words that may be null are one form and null another`, async (t) => {
    const faults: string[] = [];
    walk(document, (node, place) => {
      if (Array.isArray(node.enum) && (Array.isArray(node.type) || node.enum.includes(null))) faults.push(place);
    });
    t.strictSame(faults, []);
  });

  t.test(
    `${name}: every parameter has an example that fits, and idempotency keys one for each operation`,
    async (t) => {
      const ajv = new Ajv2020({ strict: false, validateFormats: false });
      ajv.addSchema({ $id: 'document', ...document });
      const faults: string[] = [];
      for (const { operationId, parameters } of operations) {
        for (const { name, schema, example } of parameters) {
          const rebased = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'));
          if (!ajv.validate(rebased as AnySchema, example)) faults.push(`${operationId} ${name}: ${example}`);
        }
      }
      t.strictSame(faults, []);
      const keys = operations.flatMap(({ parameters }) => {
        const [key, ...others] = parameters.filter((parameter) => parameter.in === 'header');
        t.ok(
          others.every(({ example }) => example === key?.example),
          'the same under both names',
        );
        return key ? [key.example] : [];
      });
      t.equal(new Set(keys).size, keys.length);
      t.equal(keys.length > 0, name === 'v1');
    },
  );

  t.test(`${name}: each operation has its own id, a tag that is described, and the release is named`, async (t) => {
    const ids = operations.map(({ operationId }) => operationId);
    t.equal(new Set(ids).size, ids.length);
    for (const { operationId, tags } of operations) {
      t.match(operationId, /^[a-z]+([A-Z][a-z]+)+$/);
      t.equal(tags.length, 1, operationId);
      t.ok(
        document.tags.some((tag) => tag.name === tags[0]),
        `${operationId}: ${tags[0]}`,
      );
    }
    t.equal(document.info.version, VERSION);
  });

  t.test(`${name}: the examples of an operation's refusals are its own, and nobody's first is HTTPS`, async (t) => {
    for (const { operationId, parameters, requestBody, responses } of operations) {
      for (const [status, { content }] of Object.entries(responses)) {
        const examples = Object.entries(content['application/json']?.examples ?? {});
        if (status === '400') t.not(examples[0]?.[0], 'invalid_request', operationId);
        for (const [code, { $ref, value }] of examples) {
          const shown = $ref === undefined ? value : (document.components.examples[code] as Json).value;
          const { error } = shown as {
            error: { message: string; details?: { fields?: Array<{ path: string; rule: string }> } };
          };
          t.notMatch(error.message, /https/i, operationId);
          for (const { path, rule } of error.details?.fields ?? []) {
            const [place, field = ''] = path.split('.');
            const names =
              place === 'body'
                ? JSON.stringify([requestBody, bodyOf(document, requestBody)])
                : JSON.stringify(parameters.filter((parameter) => parameter.in === place).map(({ name }) => name));
            t.ok(rule === 'unknown' || field === '' || names.includes(`"${field}"`), `${operationId} ${path}`);
          }
        }
      }
    }
  });
}

t.test('operations of the operator are a verb and one record, of lists and imports several', async (t) => {
  for (const { operationId } of operationsOf(DOCUMENTS.operator))
    if (/[^s]s$/.test(operationId) && operationId !== 'showStatus')
      t.match(
        operationId,
        /^(list|import|compareServices$|releaseRequests$|removeServices$|retryRequests$|settleUnknown)/,
      );
  const ids = operationsOf(DOCUMENTS.operator).map(({ operationId }) => operationId);
  for (const id of ['createBroker', 'updateBroker', 'showRequest', 'unsuspendService', 'listServices', 'actOnService'])
    t.ok(ids.includes(id), id);
});

t.test("the operator's API speaks of JSON, not of forms, files and options", async (t) => {
  const faults: string[] = [];
  for (const { operationId, parameters, requestBody } of operationsOf(DOCUMENTS.operator)) {
    walk({ parameters, requestBody }, ({ description }, place) => {
      if (/blanks or commas|\bempty:|(^|\s)--\w|, as JSON|a form\b|the file of/.test(String(description)))
        faults.push(`${operationId} ${place}: ${description}`);
    });
  }
  t.strictSame(faults, []);
});

t.test('what a caller saw has the types of the fields, and each may be null', async (t) => {
  const faults: string[] = [];
  for (const { operationId, requestBody } of operationsOf(DOCUMENTS.operator)) {
    const schema = requestBody?.content['application/json']?.schema as { properties?: { seen?: Json } } | undefined;
    walk(schema?.properties?.seen, ({ type, items, properties }, place) => {
      const types = [type].flat().filter((each) => each !== 'null' && each !== undefined);
      if (types.length > 1) faults.push(`${operationId} ${place}: ${types}`);
      if (types.includes('array') && !items) faults.push(`${operationId} ${place}: a list of what?`);
      if (properties && types[0] !== 'object') faults.push(`${operationId} ${place}: no object`);
    });
  }
  t.strictSame(faults, []);
});
