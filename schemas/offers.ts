import { Type } from '@sinclair/typebox';
import { MAX_ADDRESSES, MAX_LOGIN_URL, MAX_NOTES, MAX_USERNAME } from '../src/rules/access.ts';
import { MAX_ACTIONS, NAME_PATTERN } from '../src/rules/offers.ts';
import {
  MAX_CHOICES,
  MAX_OPTIONS,
  MAX_TEXT_LENGTH,
  OPTION_FORMATS,
  OPTION_TYPES,
  type OptionFormat,
} from '../src/rules/options.ts';
import { ListOf, Nullable, OneOf, Shown, Whole } from './atoms.ts';

/** What can be chosen for a service and what it can do, and how its client reaches it (contract, section 12). */

/** The bounds of a value, whatever its type. */
const VALUE_BOUNDS = {
  maxLength: MAX_TEXT_LENGTH,
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
};

const Value = (description: string, examples: unknown[]) =>
  Type.Unsafe<string | number | boolean | null>({
    type: ['string', 'integer', 'boolean', 'null'],
    ...VALUE_BOUNDS,
    description,
    examples,
  });

const Name = (description: string, example: string) =>
  Type.String({ pattern: NAME_PATTERN, maxLength: 50, description, examples: [example] });

const Choice = Type.Object(
  {
    value: Shown(100, 'What is sent', { examples: ['debian-13'] }),
    display_name: Shown(100, 'What people read', { examples: ['Debian 13'] }),
  },
  { component: 'Choice' },
);

const Bound = (description: string) =>
  Type.Optional(Nullable(Whole(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, description), { examples: [null] }));

const Option = Type.Object(
  {
    name: Name('The name of its value in a configuration', 'image'),
    display_name: Shown(100, 'What people call it', { examples: ['Operating system'] }),
    description: Nullable(Shown(500, 'For people'), { examples: [null] }),
    type: OneOf(OPTION_TYPES, { description: 'Which values it takes', examples: ['choice'] }),
    required: Type.Boolean({ description: 'Whether it must be given where it has no default', examples: [false] }),
    default: Value('The value that is filled in where none is given; null: none', ['debian-13']),
    choices: Type.Optional(
      ListOf(Choice, { minItems: 1, maxItems: MAX_CHOICES, description: '`choice` alone: the values to choose from' }),
    ),
    minimum: Bound('`number` alone; null: none'),
    maximum: Bound('`number` alone; null: none'),
    max_length: Type.Optional(Whole(1, MAX_TEXT_LENGTH, '`text` alone: in characters', { examples: [255] })),
    format: Type.Optional(
      Type.Unsafe<OptionFormat | null>({
        type: ['string', 'null'],
        enum: [...OPTION_FORMATS, null],
        description: '`text` alone: what the text must be; null: any',
        examples: [null],
      }),
    ),
  },
  { component: 'Option' },
);

/** The example of one option: the fields of a choice. */
const OPTION_SAMPLE = {
  name: 'image',
  display_name: 'Operating system',
  description: null,
  type: 'choice',
  required: false,
  default: 'debian-13',
  choices: [{ value: 'debian-13', display_name: 'Debian 13' }],
};

export const Options = ListOf(Option, {
  maxItems: MAX_OPTIONS,
  description: 'What can be chosen for a service; the names and rules of `configuration`',
  examples: [[OPTION_SAMPLE]],
});

const Action = Type.Object(
  {
    name: Name('What to send as `action`', 'reinstall'),
    display_name: Shown(100, 'What people call it', { examples: ['Install anew'] }),
    description: Nullable(Shown(500, 'For people'), { examples: [null] }),
    options: Options,
    requires_operator_review: Type.Boolean({ description: 'Whether the operator reviews it first', examples: [false] }),
    destroys_data: Type.Boolean({ description: 'True: ask the client before it is submitted', examples: [true] }),
  },
  { component: 'Action' },
);

export const Actions = ListOf(Action, {
  maxItems: MAX_ACTIONS,
  description: "What can be submitted for the plan's services, with `POST .../actions`",
});

export const HasCredentials = Type.Boolean({
  description: 'Whether `GET .../credentials` can answer for its services',
  examples: [true],
});

const CONFIGURATION_SAMPLE = { image: 'debian-13', hostname: 'shop.example.com' };

/** What was chosen, in an answer. */
export const ShownConfiguration = Type.Unsafe<Readonly<Record<string, string | number | boolean>>>({
  type: 'object',
  additionalProperties: { type: ['string', 'integer', 'boolean'], ...VALUE_BOUNDS },
  maxProperties: MAX_OPTIONS,
  description: 'What was chosen for it, by the names of options',
  examples: [CONFIGURATION_SAMPLE],
});

/** The same in a body; its values are checked against the plan, behind the plan's name. */
const configurationInput = (description: string) =>
  Type.Unsafe<Readonly<Record<string, unknown>> | null>({
    type: ['object', 'null'],
    document: {
      type: ['object', 'null'],
      additionalProperties: { type: ['string', 'integer', 'boolean', 'null'], ...VALUE_BOUNDS },
      maxProperties: MAX_OPTIONS,
      description,
      examples: [CONFIGURATION_SAMPLE],
    },
  });

/** Of a new service. */
export const ConfigurationInput = configurationInput(
  'Values by the names of the options; null counts as absent, and defaults are filled in',
);

/** Of a service that is changed. */
export const ChangedConfiguration = configurationInput(
  'Values by the names of the options; what is absent or null stays as the service has it, and only what it has no valid ' +
    'value for takes its default',
);

export const Access = Nullable(
  Type.Object(
    {
      hostname: Nullable(Shown(253, 'The name of the machine', { examples: ['shop.example.com'] })),
      ip_addresses: ListOf(Shown(45, 'An IPv4 or IPv6 address'), {
        maxItems: MAX_ADDRESSES,
        description: 'IPv4 and IPv6, in the order in which they were given',
        examples: [['192.0.2.10', '2001:db8::10']],
      }),
      username: Nullable(Shown(MAX_USERNAME, 'The name to sign in with', { examples: ['root'] })),
      login_url: Nullable(
        Shown(MAX_LOGIN_URL, 'Where to sign in', { examples: ['https://panel.example.com/services/900001'] }),
      ),
      notes: Nullable(Shown(MAX_NOTES, 'For people'), { examples: [null] }),
    },
    {
      component: 'Access',
      description: 'How the client reaches the service; null until something is known, and once the service has ended',
    },
  ),
);
