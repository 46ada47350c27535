import { type TSchema, Type } from '@sinclair/typebox';
import { checkPart } from '../../fields/faults.ts';
import { trimmed, unreadableFaults, type Values } from '../../fields/values.ts';
import { keysOf } from '../../rules/keys.ts';
import { isNestedDeeper, TOO_DEEP } from '../../rules/nesting.ts';
import {
  type Action,
  MAX_ACTIONS,
  MAX_OFFER_BYTES,
  MAX_PROVISIONING_BYTES,
  NAME_PATTERN,
  type PlanOffer,
} from '../../rules/offers.ts';
import {
  faultOf,
  MAX_CHOICES,
  MAX_OPTIONS,
  MAX_TEXT_LENGTH,
  OPTION_FORMATS,
  OPTION_TYPES,
  type Option,
  type OptionType,
  textLengthOf,
} from '../../rules/options.ts';
import type { Fault } from './errors.ts';

/** What operators write of a plan as JSON (contract, section 12): its options, its actions, and what the provisioner gets. */

const optional = (schema: TSchema) => Type.Optional(Type.Unsafe<unknown>({ ...schema, nullable: true }));
const object = (properties: Record<string, TSchema>) => Type.Object(properties, { additionalProperties: false });
const name = Type.String({
  pattern: NAME_PATTERN,
  must: 'small letters, digits and "_", with a letter first, at most 50',
});
const line = (maxLength: number) =>
  Type.String({ oneLine: true, minLength: 1, maxLength, must: `one line of at most ${maxLength} characters` });
const flag = optional(Type.Boolean());
const whole = optional(Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }));
const oneOf = (values: readonly string[]): TSchema => Type.Unsafe<string>({ type: 'string', enum: [...values] });
const described = {
  name,
  display_name: line(100),
  description: optional(Type.String({ maxLength: 500 })),
};

const OPTIONS = Type.Array(
  object({
    ...described,
    type: oneOf(OPTION_TYPES),
    required: flag,
    default: Type.Optional(Type.Unsafe({ type: ['string', 'number', 'boolean', 'null'] })),
    choices: optional(
      Type.Array(object({ value: line(100), display_name: line(100) }), {
        minItems: 1,
        maxItems: MAX_CHOICES,
        must: `a list of 1 to ${MAX_CHOICES} choices`,
      }),
    ),
    minimum: whole,
    maximum: whole,
    max_length: optional(Type.Integer({ minimum: 1, maximum: MAX_TEXT_LENGTH })),
    // An enumeration that null is part of.
    format: Type.Optional(Type.Unsafe({ type: ['string', 'null'], enum: [...OPTION_FORMATS, null] })),
  }),
  { maxItems: MAX_OPTIONS, must: `a list of at most ${MAX_OPTIONS} options` },
);

const ACTIONS = Type.Array(
  object({ ...described, options: optional(OPTIONS), requires_operator_review: flag, destroys_data: flag }),
  { maxItems: MAX_ACTIONS, must: `a list of at most ${MAX_ACTIONS} actions` },
);

const SHAPES = { options: OPTIONS, actions: ACTIONS, provisioning: Type.Object({}) };

/** A part of a plan that is written as JSON. */
export type OfferPart = keyof typeof SHAPES;

const shapeFaults = {
  options: checkPart('body', OPTIONS),
  actions: checkPart('body', ACTIONS),
  provisioning: checkPart('body', SHAPES.provisioning),
};

/** Faults of one text that are named; the others show once these are mended. */
const MAX_FAULTS = 20;

/**
 * Reads a part of a plan from JSON, with what it does not say filled in.
 * @returns the value, or every fault by its path, such as `options.0.default` (the first twenty)
 */
export function readOfferPart<P extends OfferPart>(
  part: P,
  text: string,
): { value: PlanOffer[P] } | { faults: Fault[] } {
  const written = parsed(text);
  if (written === undefined) return { faults: [{ field: part, message: 'must be JSON' }] };
  const given = part === 'provisioning' ? written : trimmed(written);
  const inTexts = part === 'provisioning' ? [] : unreadableFaults('body', given);
  const ofShape = [...shapeFaults[part](given as Values), ...inTexts].map(({ path, message, rule }) => ({
    field: path.replace('body', part),
    message,
    rule,
  }));
  if (ofShape.length > 0) return { faults: ofShape.slice(0, MAX_FAULTS) };
  const sound = given as GivenOffer[P];
  const faults = FAULTS[part](sound);
  return faults.length > 0 ? { faults: faults.slice(0, MAX_FAULTS) } : { value: FILLED[part](sound) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const FAULTS: { [P in OfferPart]: (given: GivenOffer[P]) => Fault[] } = {
  options: (given) => faultsOfOptions(given, 'options'),
  actions: (given) => [
    ...repeated(given, 'actions', 'name'),
    ...given.flatMap(({ options }, index) => faultsOfOptions(options ?? [], `actions.${index}.options`)),
  ],
  provisioning: (given) => {
    if (isNestedDeeper(given)) return [{ field: 'provisioning', message: TOO_DEEP }];
    if (!isStorable(given)) return [{ field: 'provisioning', message: 'must have numbers of at most 308 digits' }];
    return Buffer.byteLength(JSON.stringify(given)) > MAX_PROVISIONING_BYTES
      ? [{ field: 'provisioning', message: `must have at most ${MAX_PROVISIONING_BYTES} bytes` }]
      : [];
  },
};

const FILLED: { [P in OfferPart]: (given: GivenOffer[P]) => PlanOffer[P] } = {
  options: (given) => given.map(filledOption),
  actions: (given) => given.map(filledAction),
  provisioning: (given) => given,
};

/** What stands in both, of a plan as it will be; undefined where that is not too long. */
export const offerLengthFault = ({ options, actions }: Pick<PlanOffer, 'options' | 'actions'>): string | undefined =>
  Buffer.byteLength(JSON.stringify(options)) + Buffer.byteLength(JSON.stringify(actions)) > MAX_OFFER_BYTES
    ? `options and actions must have at most ${MAX_OFFER_BYTES} bytes together`
    : undefined;

/** The parts of a plan, each of its shape. */
interface GivenOffer {
  options: GivenOption[];
  actions: GivenAction[];
  provisioning: Record<string, unknown>;
}
type GivenOption = Pick<Option, 'name' | 'display_name' | 'type'> & { [F in keyof Option]?: Option[F] | null };
type GivenAction = Pick<Action, 'name' | 'display_name'> & {
  [F in Exclude<keyof Action, 'options'>]?: Action[F] | null;
} & { options?: GivenOption[] | null };

/** The fields that belong to one type alone. */
const OF_TYPE: Readonly<Record<'choices' | 'minimum' | 'maximum' | 'max_length' | 'format', OptionType>> = {
  choices: 'choice',
  minimum: 'number',
  maximum: 'number',
  max_length: 'text',
  format: 'text',
};

function faultsOfOptions(options: readonly GivenOption[], path: string): Fault[] {
  return [
    ...repeated(options, path, 'name'),
    ...options.flatMap((option, index) => faultsOfOption(option, `${path}.${index}`)),
  ];
}

function faultsOfOption(option: GivenOption, path: string): Fault[] {
  const faults: Fault[] = [];
  for (const field of keysOf(OF_TYPE)) {
    const type = OF_TYPE[field];
    if ((option[field] ?? null) !== null && option.type !== type) {
      faults.push({ field: `${path}.${field}`, message: `belongs to the type ${type} alone` });
    }
  }
  const { type, choices, minimum = null, maximum = null, default: absent = null } = option;
  if (type === 'choice' && !choices)
    faults.push({ field: `${path}.choices`, message: 'is required', rule: 'required' });
  faults.push(...repeated(choices ?? [], `${path}.choices`, 'value'));
  if (minimum !== null && maximum !== null && minimum > maximum) {
    faults.push({ field: `${path}.maximum`, message: 'must not be below minimum' });
  }
  if (faults.length > 0 || absent === null) return faults;
  const fault = faultOf(filledOption(option), absent);
  return fault ? [{ field: `${path}.default`, ...fault }] : [];
}

function repeated<K extends string>(items: ReadonlyArray<Record<K, string>>, path: string, key: K): Fault[] {
  const seen = new Set<string>();
  return items.flatMap((item, index) => {
    const isRepeated = seen.has(item[key]);
    seen.add(item[key]);
    return isRepeated ? [{ field: `${path}.${index}.${key}`, message: `"${item[key]}" is there twice` }] : [];
  });
}

function filledOption({ name, display_name, description, type, required, ...given }: GivenOption): Option {
  const option = {
    name,
    display_name,
    description: description || null,
    type,
    required: required ?? false,
    default: given.default ?? null,
  };
  const { choices, minimum = null, maximum = null, format = null, max_length } = given;
  switch (type) {
    case 'choice':
      return { ...option, choices: choices ?? [] };
    case 'number':
      return { ...option, minimum, maximum };
    case 'text':
      return { ...option, max_length: max_length ?? textLengthOf(format), format };
    case 'boolean':
      return option;
  }
}

const filledAction = ({ name, display_name, description, options, ...given }: GivenAction): Action => ({
  name,
  display_name,
  description: description || null,
  options: (options ?? []).map(filledOption),
  requires_operator_review: given.requires_operator_review ?? false,
  destroys_data: given.destroys_data ?? false,
});

/** A number beyond every range is read as infinite, and would be stored as null. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isStorable);
}
