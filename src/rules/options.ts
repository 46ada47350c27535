import { isIP } from 'node:net';
import type { FieldFault } from '../errors.ts';
import { readSshPublicKey } from './ssh-keys.ts';

/**
 * What a caller can choose for a service (contract, section 12.1): a plan declares options, and a service's configuration
 * has a value for some of them. Checking costs time in proportion to the length of what is checked: no patterns of
 * operators, no nesting.
 */

/** One option of a plan or of an action, in its wire form; the fields of other types are absent. */
export interface Option {
  readonly name: string;
  readonly display_name: string;
  readonly description: string | null;
  readonly type: OptionType;
  readonly required: boolean;
  readonly default: OptionValue | null;
  /** `choice`. */
  readonly choices?: readonly { readonly value: string; readonly display_name: string }[];
  /** `number`; null: none. */
  readonly minimum?: number | null;
  readonly maximum?: number | null;
  /** `text`: in code points. */
  readonly max_length?: number;
  /** `text`. */
  readonly format?: OptionFormat | null;
}

export const OPTION_TYPES = ['choice', 'text', 'number', 'boolean'] as const;
export type OptionType = (typeof OPTION_TYPES)[number];

export const OPTION_FORMATS = ['hostname', 'ssh_public_key'] as const;
export type OptionFormat = (typeof OPTION_FORMATS)[number];

export type OptionValue = string | number | boolean;

/** What was chosen, by the names of options. */
export type Configuration = Readonly<Record<string, OptionValue>>;

/** The configuration in its column; `{}` where nothing was chosen. */
export const configurationOf = (stored: string | null): Configuration =>
  stored === null ? {} : (JSON.parse(stored) as Configuration);

export const MAX_OPTIONS = 20;
export const MAX_CHOICES = 200;
/** Code points of a text: of any format that sets no other bound, and at most. */
const DEFAULT_TEXT_LENGTH = 255;
export const MAX_TEXT_LENGTH = 4000;

/** The length of a text whose option does not say. */
export const textLengthOf = (format: OptionFormat | null | undefined): number =>
  format === 'ssh_public_key' ? MAX_TEXT_LENGTH : DEFAULT_TEXT_LENGTH;

/** What is wrong with a value: the fault without its path. */
type Fault = Omit<FieldFault, 'path'>;

/** How a choice is checked. */
interface ConfigureOptions {
  /**
   * Whether what is not given is filled in: with the stored value where that is valid, else with the default. Otherwise
   * what is given is held to names and types alone.
   */
  complete?: boolean;
  /** What the service has; a value that equals it passes, whatever the options are today (contract, section 14.1). */
  stored?: Configuration;
}

/**
 * Checks what a caller chose. Null counts as absent.
 * @param path of the configuration, in front of the names
 * @returns the values in the order of the options, and every fault by the rules of the contract's section 3
 */
export function configure(
  options: readonly Option[],
  given: Readonly<Record<string, unknown>>,
  path: string,
  { complete = true, stored = {} }: ConfigureOptions = {},
): { values: Configuration; faults: FieldFault[] } {
  const known = new Map(options.map((option) => [option.name, option]));
  const faults: FieldFault[] = [];
  const isStored = (name: string, value: unknown) => value !== null && valueIn(stored, name) === value;
  for (const [name, value] of Object.entries(given)) {
    if (known.has(name) || isStored(name, value)) continue;
    faults.push({ path: `${path}.${name}`, rule: 'unknown', message: 'is no option here' });
  }
  const values: Array<[string, OptionValue]> = [];
  for (const option of options) {
    const { name } = option;
    const value = readable(option, valueIn(given, name));
    if (value !== null) {
      const fault = isStored(name, value) ? undefined : faultOf(option, value);
      if (fault) faults.push({ path: `${path}.${name}`, ...fault });
      else values.push([name, value as OptionValue]);
    } else if (complete) {
      const kept = keptValue(option, stored);
      if (kept !== null) values.push([name, kept]);
      else if (option.required) faults.push({ path: `${path}.${name}`, rule: 'required', message: 'is required' });
    }
  }
  return { values: Object.fromEntries(values), faults };
}

/** Looks up an own property. Returns null if there is none. */
const valueIn = <T>(values: Readonly<Record<string, T>>, name: string): T | null =>
  Object.hasOwn(values, name) ? (values[name] ?? null) : null;

/** What an option has where no value is given: the stored value if it is valid, else the default, which may be null. */
export function keptValue(option: Option, stored: Configuration): OptionValue | null {
  const value = valueIn(stored, option.name);
  return value !== null && faultOf(option, value) === undefined ? value : option.default;
}

/** The configuration of a service, and values that it keeps for options that its plan does not have. */
export interface ServiceConfiguration {
  /** A JSON object; null: nothing was chosen. */
  readonly configuration: string | null;
  /** A JSON object of other names; null: there are none. */
  readonly keptConfiguration: string | null;
}

/** Every value of a service, shown or kept. */
export const everyValueOf = ({ configuration, keptConfiguration }: ServiceConfiguration): Configuration => ({
  ...configurationOf(keptConfiguration),
  ...configurationOf(configuration),
});

/**
 * The configuration of a service that moves to a plan with these options (contract, section 14.1): what was given with the
 * change, else what the service has, else the default. What the plan does not have is kept apart.
 */
export function movedConfiguration(
  options: readonly Option[],
  service: ServiceConfiguration,
  given: Configuration,
): ServiceConfiguration {
  const values: Configuration = { ...everyValueOf(service), ...given };
  const names = new Set(options.map(({ name }) => name));
  const shown = options.flatMap(({ name, default: value }) => {
    const moved = valueIn(values, name) ?? value;
    return moved === null ? [] : [[name, moved] as const];
  });
  const kept = Object.entries(values).filter(([name]) => !names.has(name));
  return { configuration: columnOf(shown), keptConfiguration: columnOf(kept) };
}

const columnOf = (values: ReadonlyArray<readonly [string, OptionValue]>): string | null =>
  values.length === 0 ? null : JSON.stringify(Object.fromEntries(values));

/** A value in the form in which it is stored; one that is not valid stays as it is. */
function readable({ format }: Option, value: unknown): unknown {
  if (format !== 'ssh_public_key' || typeof value !== 'string') return value;
  const read = readSshPublicKey(value);
  return 'key' in read ? read.key : value;
}

/** What is wrong with a value of an option; undefined where it is valid. */
export function faultOf(option: Option, value: unknown): Fault | undefined {
  switch (option.type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : { rule: 'type', message: 'must be true or false' };
    case 'number':
      return faultOfNumber(option, value);
    case 'choice': {
      if (typeof value !== 'string') return { rule: 'type', message: 'must be a text' };
      const choices = option.choices ?? [];
      if (choices.some((choice) => choice.value === value)) return undefined;
      return { rule: 'enum', message: `must be one of ${choices.map((choice) => choice.value).join(', ')}` };
    }
    case 'text':
      return faultOfText(option, value);
  }
}

function faultOfNumber({ minimum = null, maximum = null }: Option, value: unknown): Fault | undefined {
  if (typeof value !== 'number') return { rule: 'type', message: 'must be a whole number' };
  if (Number.isFinite(value) && !Number.isInteger(value)) return { rule: 'type', message: 'must be a whole number' };
  const [lowest, highest] = [minimum ?? Number.MIN_SAFE_INTEGER, maximum ?? Number.MAX_SAFE_INTEGER];
  if (value >= lowest && value <= highest) return undefined;
  return { rule: 'range', message: `must be between ${lowest} and ${highest}` };
}

function faultOfText({ format, max_length = textLengthOf(format) }: Option, value: unknown): Fault | undefined {
  if (typeof value !== 'string') return { rule: 'type', message: 'must be a text' };
  if (value === '') return { rule: 'blank', message: 'must not be blank' };
  // A code point has one or two units: what is far too long is not counted.
  if (value.length > 2 * max_length || [...value].length > max_length) {
    return { rule: 'too_long', message: `must have at most ${max_length} characters` };
  }
  if (format === 'hostname' && !isHostname(value)) {
    const message = 'must be a host name: letters, digits and hyphens between dots, the last part not of digits alone';
    return { rule: 'format', message };
  }
  if (format === 'ssh_public_key') {
    const read = readSshPublicKey(value);
    if ('fault' in read) return { rule: 'format', message: read.fault };
  }
  return undefined;
}

const HOSTNAME_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;

/** Whether a text is a host name by RFC 1123. An address is none, nor is what was meant to be one: 2.1 asks for a letter last. */
export const isHostname = (text: string): boolean =>
  text.length <= 253 &&
  isIP(text) === 0 &&
  !/(^|\.)\d+$/.test(text) &&
  text.split('.').every((label) => HOSTNAME_LABEL.test(label));
