import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import { Exactly, MAX_INT32, ServiceNumberValue, TIMESTAMP_PATTERN } from '../../schemas/atoms.ts';
import { byName, errors, gateErrors, Pagination, PaginationOfChanges } from '../../schemas/envelope.ts';
import { USE_CASES } from '../operator/registry.ts';
import {
  PATTERNS as FORMAT_PATTERNS,
  isRequired,
  OF_ADAPTERS,
  OF_READING,
  ruleOf,
} from '../operator/use-case/fields.ts';
import { COUNTED_MOST } from '../operator/use-case/pages.ts';
import type { AnyUseCase } from '../operator/use-case/use-case.ts';
import { omit } from '../rules/omit.ts';

/** Where a use case stands (contract, section 13.2). */
export interface OperationPlace {
  method: 'GET' | 'POST';
  /** Below `/operator/v1`, with `:parameters`. */
  path: string;
  /** The fields that stand in the path. */
  params: readonly string[];
  /** Of a success. */
  status: 200 | 201;
}

/** What is made anew answers 201. */
const CREATING = ['create', 'add', 'submit'];

export function placeOf({ name, path = '' }: AnyUseCase): OperationPlace {
  const [method, url] = path.split(' ') as ['GET' | 'POST', string];
  const params = [...url.matchAll(/:(\w+)/g)].map(([, param]) => param as string);
  return { method, path: url, params, status: CREATING.includes(name.split(' ').at(-1) as string) ? 201 : 200 };
}

/** Whether it answers with a list, page by page. */
export const isList = ({ columns }: AnyUseCase): boolean => columns !== undefined;

/** The fields of a list that page it, which are the same for all lists. */
const PAGING = ['limit', 'offset'];
export const PAGE = { limit: 25, most: 100 };

/** The fields that a caller gives beside those in the path. */
export const inputFieldsOf = (useCase: AnyUseCase): Array<[name: string, field: TSchema]> =>
  Object.entries<TSchema>(useCase.input.properties).filter(
    ([name]) => !placeOf(useCase).params.includes(name) && !(isList(useCase) && PAGING.includes(name)),
  );

/** Formats that v1 has too, and words for them. */
const COMMON = ['mailbox', 'timestamp', 'service-number'];

/** A date, or a duration before now. */
export const PAST_TIME_PATTERN = '^[0-9].*$';

/** The formats of the operator's fields as patterns, for tools. */
const PATTERNS: Readonly<Record<string, string | undefined>> = {
  ...FORMAT_PATTERNS,
  duration: '^(0|\\d{1,9} ?[smhd])$',
  'past-time': PAST_TIME_PATTERN,
  timestamp: TIMESTAMP_PATTERN,
};

/** What a field is, for those who send JSON. */
const descriptionOf = ({ inJson, description, title }: TSchema): string | undefined => inJson ?? description ?? title;

/** A field as JSON: checked as its type and never converted (contract, section 13.2). */
function inBody(field: TSchema): TSchema {
  if (field.json || field.open || field.format === 'addresses') return asWritten(field);
  const { nullable, ...own } = field;
  const description = descriptionOf(field);
  const schema = omit(own, 'title', ...OF_ADAPTERS);
  const { type, format, enum: values, items } = schema;
  const strict = {
    ...schema,
    ...(nullable && type && { type: [type, 'null'] }),
    ...(nullable && values && { enum: [...values, null] }),
    ...(items && { items: inBody(items) }),
    ...(format && !COMMON.includes(format) && { must: ruleOf(field) }),
  };
  return Type.Unsafe({ ...strict, document: documented({ ...strict, description }, format) });
}

/** What has rules of its own, and is an object or a list in JSON. */
function asWritten(field: TSchema): TSchema {
  const { json, open, nullable } = field;
  const description = descriptionOf(field);
  const type = open || json === 'provisioning' ? 'object' : 'array';
  const items = json ? { type: 'object', additionalProperties: true } : { type: 'string' };
  const shape = type === 'object' ? { additionalProperties: true } : { items };
  return Type.Unsafe({ type: nullable ? [type, 'null'] : type, ...shape, ...(description && { description }) });
}

/** The same for the document: with a pattern in place of a format that no tool knows. */
function documented(schema: Record<string, unknown>, format: string | undefined): object {
  const { items, ...known } = omit(schema, ...OF_READING, 'format', 'document');
  const pattern = format === undefined ? undefined : PATTERNS[format];
  const item = items as { document?: object } | undefined;
  return {
    ...(item && { items: item.document ?? item }),
    ...known,
    ...(format === 'mailbox' && { format }),
    ...(pattern !== undefined && { pattern }),
  };
}

/** A field in a query, which is a text. */
function inQuery(field: TSchema): TSchema {
  const { type, minimum, maximum } = field;
  const { document, ...schema } = inBody(field);
  if (type === 'integer') return Type.String({ digits: { minimum, maximum }, document });
  if (type === 'boolean') return Type.Unsafe({ type: 'string', enum: ['true', 'false'], document });
  return Type.Unsafe({ ...schema, document });
}

const paging = (maximum: number, value: number, description: string, minimum: number) =>
  Type.Optional(
    Type.String({
      digits: { minimum, maximum },
      document: { type: 'integer', minimum, maximum, default: value, description },
    }),
  );

/** The query of a read. */
export const querySchema = (useCase: AnyUseCase): TObject =>
  Exactly({
    ...Object.fromEntries(
      inputFieldsOf(useCase).map(([name, field]) => {
        const isNeeded = isRequired(useCase.input, name) && field.default === undefined;
        return [name, isNeeded ? inQuery(field) : Type.Optional(inQuery(field))];
      }),
    ),
    ...(isList(useCase) && {
      limit: paging(PAGE.most, PAGE.limit, 'How many items to return', 1),
      offset: paging(COUNTED_MOST, 0, 'How many items to skip', 0),
    }),
  });

/** The limit and offset of a page. */
export const readWindow = ({ limit, offset }: { limit?: string; offset?: string }) => ({
  limit: Number(limit ?? PAGE.limit),
  offset: Number(offset ?? 0),
});

/** The body of a change: its fields, nested as in the records. */
export function bodyOf(useCase: AnyUseCase): TObject {
  const { input, edit, confirm } = useCase;
  const fields = inputFieldsOf(useCase).map(([name, field]): [string, TSchema, boolean] => [
    name,
    inBody(field),
    !edit && isRequired(input, name) && field.default === undefined,
  ]);
  const seen = fieldsSeen(useCase);
  const body = nest(fields, {
    ...(seen.length > 0 && {
      seen: Type.Optional({
        ...nest(seen.map(([name, schema]) => [name, schema, false])),
        description: 'What the caller saw of the fields that it changes; where one differs nothing is changed',
      }),
    }),
    ...(confirm && {
      confirm: Type.Optional(
        Type.Boolean({ description: 'True: confirms what the answer `confirmation_needed` describes' }),
      ),
    }),
  });
  if (!edit) return body;
  const changing = fields.map(([name]) => name).filter((name) => !(useCase.on ?? []).includes(name));
  return { ...body, atLeastOne: [...new Set(changing.map((name) => name.split('.')[0]))] };
}

/** The values that may be compared: those that an edit changes, or that the use case names. */
function fieldsSeen(useCase: AnyUseCase): Array<[name: string, schema: TSchema]> {
  if (useCase.edit) return inputFieldsOf(useCase).map(([name, field]) => [name, asSeen(field)]);
  return (useCase.compares ?? []).map((path) => [path, asSeen(partOf(recordOf(useCase), path))]);
}

/** The record that a caller saw: what `show` answers. */
function recordOf({ name }: AnyUseCase): TSchema {
  const [group] = name.split(' ');
  return USE_CASES.find((each) => each.name === `${group} show`)?.answer as TSchema;
}

/** The part of a record at a path, such as `suspension.reason`. */
const partOf = (record: TSchema, path: string): TSchema =>
  path.split('.').reduce((part, name) => part.properties[name] as TSchema, record);

/** A value as a record has it, or null: of its type, and with its words. */
function asSeen(field: TSchema): TSchema {
  if (field.json || field.open || field.format === 'addresses') {
    const { type, ...shape } = omit(asWritten(field), 'description');
    return Type.Unsafe({ ...shape, type: orNullToo(type) });
  }
  const { type, enum: words, items } = field;
  return Type.Unsafe({
    type: orNullToo(type),
    ...(words && { enum: [...new Set([...words, null])] }),
    ...(items && { items: { type: items.type, ...(items.enum && { enum: items.enum }) } }),
  });
}

const orNullToo = (type: string | string[]): string[] => [...new Set([type, 'null'].flat())];

/** A group whose fields may all be null is null in a record: it may be so in a body too. */
const orNull = (group: TObject): TSchema => Type.Unsafe({ ...group, type: ['object', 'null'] });

/** An object of fields by their paths (`client.email`), which takes no others. */
function nest(
  fields: ReadonlyArray<[path: string, schema: TSchema, required: boolean]>,
  more: Record<string, TSchema> = {},
): TObject {
  const groups = new Map<string, Array<[string, TSchema, boolean]>>();
  const own: Record<string, TSchema> = {};
  for (const [path, schema, isNeeded] of fields) {
    const [name, ...inner] = path.split('.') as [string, ...string[]];
    if (inner.length === 0) own[name] = isNeeded ? schema : Type.Optional(schema);
    else {
      const group = groups.get(name) ?? [];
      group.push([inner.join('.'), schema, isNeeded]);
      groups.set(name, group);
      own[name] ??= Type.Null();
    }
  }
  for (const [name, group] of groups) {
    const isEmptied = group.every(([, field]) => [field.type].flat().includes('null'));
    const schema = isEmptied ? orNull(nest(group)) : nest(group);
    own[name] = group.some(([, , isNeeded]) => isNeeded) ? schema : Type.Optional(schema);
  }
  return Exactly({ ...own, ...more });
}

/** The parameters of the path: any text names a record that is not there, a service by its number. */
export const paramsOf = ({ input }: AnyUseCase, params: readonly string[]): TObject =>
  Type.Object(
    Object.fromEntries(
      params.map((name) => {
        const field = input.properties[name] as TSchema;
        const description = descriptionOf(field);
        const document = { type: 'string', maxLength: 200, description, examples: [EXAMPLES[name] ?? 'ID'] };
        return [name, name === 'service_number' ? ServiceNumberValue : Type.String({ document })];
      }),
    ),
  );

/** What stands in the paths of samples. */
const EXAMPLES: Readonly<Record<string, string>> = {
  broker: 'acme',
  email_id: 'eml_01KJPY44E0PPTDS5MJCBBSJESS',
  invoice_number: 'A-1',
  key_id: 'key_01KJPY44E0PPTDS5MJCBBSJESS',
  kind: 'cancellation-warning',
  request_id: 'req_01KJPY44E0PPTDS5MJCBBSJESS',
  slug: 'starter',
};

/** The answers of a use case by status. */
export function responsesOf(useCase: AnyUseCase): Record<number, object> {
  const { status, method } = placeOf(useCase);
  const { answer, description } = useCase;
  const data = answer as TSchema;
  const success = isList(useCase)
    ? Type.Object(
        {
          success: Type.Literal(true),
          data: Type.Array(data, { maxItems: PAGE.most }),
          pagination: byName('updated_since' in useCase.input.properties ? PaginationOfChanges : Pagination),
        },
        { description: 'One page' },
      )
    : Type.Object({ success: Type.Literal(true), data }, { description });
  return {
    [status]: success,
    ...(status === 201 && { 200: { ...success, description: 'It was there already, with the same values' } }),
    ...gateErrors(...(method === 'POST' ? (['invalid_state'] as const) : [])),
    ...errors(404, ...(method === 'POST' ? ([409] as const) : [])),
  };
}

/** How many pages a counted list can have. */
export const MAX_TOTAL = Math.min(COUNTED_MOST, MAX_INT32);
