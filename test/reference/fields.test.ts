import t from 'tap';
import { documentedFields, type Schema } from '../../src/reference/fields.ts';

const schemas = {
  Plan: {
    type: 'object',
    description: 'A plan',
    required: ['rank'],
    properties: { rank: { type: 'integer', minimum: 0 } },
  },
  Up: {
    type: 'object',
    required: ['type', 'state', 'plan'],
    properties: { type: { const: 'up' }, state: { enum: ['a', 'b'] }, plan: { $ref: '#/components/schemas/Plan' } },
  },
  End: { type: 'object', required: ['type'], properties: { type: { const: 'end' }, state: { enum: ['b', 'c'] } } },
} satisfies Record<string, Schema>;

/** Each field in a line. */
const reported = (properties: Record<string, Schema>, required: string[] = []) =>
  documentedFields({ properties, required }, schemas).map((field) =>
    [field.name, field.type, field.required ? 'required' : 'optional', ...field.rules, field.description]
      .filter(Boolean)
      .join(' | '),
  );

t.test('a field has its type, its bounds and its rules in words', async (t) => {
  t.strictSame(
    reported(
      {
        text: { type: 'string', minLength: 1, maxLength: 9, pattern: '^[^\\u0000]*$', description: 'Some text' },
        currency: { type: ['string', 'null'], minLength: 3, maxLength: 3, pattern: '^[A-Z]{3}$' },
        when: { type: 'string', format: 'date-time', pattern: '^\\d{4}-x$', minLength: 24, maxLength: 24 },
        since: { type: 'string', pattern: '^\\d{4}-x$', maxLength: 35 },
        mail: { type: 'string', format: 'email', maxLength: 254 },
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 25 },
        word: { type: 'string', enum: ['a', 'b'] },
        mode: { const: 'test' },
        list: { type: 'array', maxItems: 5, items: { type: 'string' } },
      },
      ['text'],
    ),
    [
      'text | string | required | 1 to 9 characters | Some text',
      'currency | string or null | optional | 3 characters | matches `^[A-Z]{3}$`',
      'when | timestamp | optional',
      'since | date or timestamp | optional',
      'mail | email address | optional | at most 254 characters',
      'limit | integer | optional | 1 to 100 | default `25`',
      'word | string | optional | one of `a`, `b`',
      'mode | string | optional | always `test`',
      'list | list of string | optional | at most 5 items',
    ],
  );
});

t.test('records in a record are reported field by field', async (t) => {
  t.strictSame(
    reported({
      plan: { oneOf: [{ $ref: '#/components/schemas/Plan' }, { type: 'null' }] },
      all: { type: 'array', maxItems: 9, items: { $ref: '#/components/schemas/Plan' } },
      changes: { type: 'object', minProperties: 1, properties: { name: { type: 'string' } } },
    }),
    [
      'plan | object or null | optional | A plan',
      'plan.rank | integer | required | at least 0',
      'all | list of object | optional | at most 9 items',
      'all[].rank | integer | required | at least 0',
      'changes | object | optional | at least 1 field',
      'changes.name | string | optional',
    ],
  );
});

t.test('of a union each field says with which of its forms it comes', async (t) => {
  const form = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const extra = { type: 'object', required: ['extra'], properties: { extra: { type: 'boolean' } } };
  t.strictSame(reported({ data: { oneOf: [{ allOf: [form('Up'), extra] }, { allOf: [form('End'), extra] }] } }), [
    'data | object | optional',
    'data.type | string | required | one of `up`, `end`',
    'data.state | string | optional | one of `a`, `b`, `c`',
    'data.plan | object | required | only with `type` `up` | A plan',
    'data.plan.rank | integer | required | at least 0',
    'data.extra | boolean | required',
  ]);
});
