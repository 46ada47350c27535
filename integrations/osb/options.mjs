/* Options of a plan, made from the JSON Schema (drafts 4 to 2020-12) of the parameters that a broker takes. */
import { isDeepStrictEqual } from 'node:util';

const MOST_OPTIONS = 20;
const MOST_CHOICES = 200;
const LONGEST_CHOICE = 100;
const LONGEST_TEXT = 4000;
const LONGEST_HOSTNAME = 253;
/** Of references that lead to each other. */
const DEEPEST = 10;

const HOSTNAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i;
/** What shows nothing is blank to the import, whatever it consists of. */
const VISIBLE = /[^\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @returns a text of so many characters that every database stores, on one line; '' of what shows nothing */
export function lineOf(value, length) {
  if (typeof value !== 'string' || !VISIBLE.test(value)) return '';
  const line = value
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return [...line].slice(0, length).join('').trim();
}

/** The same of a text that may have several lines, null of none. */
export function textOf(value, length) {
  if (typeof value !== 'string' || !VISIBLE.test(value)) return null;
  const text = value
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(/(?!\n)\p{Cc}/gu, ' ')
    .trim();
  return [...text].slice(0, length).join('').trim();
}

/** A schema with what it refers to and consists of. */
function whole(schema, root, depth = 0) {
  if (!isObject(schema) || depth > DEEPEST) return schema;
  const { $ref: reference, allOf = [], ...own } = schema;
  const parts = [typeof reference === 'string' ? found(root, reference) : undefined, ...[allOf].flat()];
  const all = { properties: {}, required: [] };
  for (const part of [...parts.map((one) => whole(one, root, depth + 1)), own].filter(isObject)) {
    const { properties, required, ...others } = part;
    Object.assign(all, others);
    if (isObject(properties)) all.properties = { ...all.properties, ...properties };
    if (Array.isArray(required)) all.required.push(...required);
  }
  return all;
}

/** What a reference within the schema leads to. */
function found(root, reference) {
  if (!reference.startsWith('#')) return undefined;
  const names = decodeURIComponent(reference).split('/').slice(1);
  const at = (value, name) =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? value[name] : undefined;
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')).reduce(at, root);
}

/** Choices are texts: of values that cannot be taken as they are, their JSON. */
function choicesOf(given, preset) {
  const values = given.filter((value, at) => given.findIndex((one) => isDeepStrictEqual(one, value)) === at);
  const json = values.some((value) => typeof value !== 'string' || lineOf(value, LONGEST_CHOICE + 1) !== value);
  const choiceOf = (value) => (json ? JSON.stringify(value) : value);
  const choices = values.map((value) => ({ value: choiceOf(value), display_name: choiceOf(value) }));
  const isStored = ({ value }) => lineOf(value, LONGEST_CHOICE) === value;
  if (choices.length > MOST_CHOICES || !choices.every(isStored)) return undefined;
  const isPreset = values.some((value) => isDeepStrictEqual(value, preset));
  return { json, fields: { type: 'choice', default: isPreset ? choiceOf(preset) : null, choices } };
}

/** Whole numbers alone: the bounds that lie within what is counted exactly. */
function numberOf({ default: preset, minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below }) {
  // In draft 4 the two say of the bounds whether they are exclusive.
  const lowest = [
    ...(Number.isFinite(minimum) ? [above === true ? Math.floor(minimum) + 1 : Math.ceil(minimum)] : []),
    ...(Number.isFinite(above) ? [Math.floor(above) + 1] : []),
  ];
  const highest = [
    ...(Number.isFinite(maximum) ? [below === true ? Math.ceil(maximum) - 1 : Math.floor(maximum)] : []),
    ...(Number.isFinite(below) ? [Math.ceil(below) - 1] : []),
  ];
  const [least, most] = [Math.max(...lowest), Math.min(...highest)];
  if (least > most || least > Number.MAX_SAFE_INTEGER || most < Number.MIN_SAFE_INTEGER) return undefined;
  const isPreset = Number.isSafeInteger(preset) && preset >= least && preset <= most;
  const bounds = { minimum: least, maximum: most };
  for (const [name, value] of Object.entries(bounds)) if (!Number.isSafeInteger(value)) bounds[name] = null;
  return { type: 'number', default: isPreset ? preset : null, ...bounds };
}

function stringOf({ default: preset, minLength = 0, maxLength = 255, format }) {
  const isHostname = format === 'hostname';
  const length = Math.min(Math.floor(maxLength), isHostname ? LONGEST_HOSTNAME : LONGEST_TEXT);
  if (!(length >= 1) || minLength > length) return undefined;
  const isPreset = lineOf(preset, length) === preset && preset !== '' && (!isHostname || HOSTNAME.test(preset));
  return {
    ...{ type: 'text', default: isPreset ? preset : null },
    ...{ max_length: length, format: isHostname ? 'hostname' : null },
  };
}

/** By type of a schema: the fields of its option. */
const FIELDS = {
  boolean: ({ default: preset }) => ({ type: 'boolean', default: typeof preset === 'boolean' ? preset : null }),
  integer: numberOf,
  number: numberOf,
  string: stringOf,
};

/** The values that a schema lists, in whichever way. */
function listed(schema) {
  if (Array.isArray(schema.enum)) return schema.enum;
  if ('const' in schema) return [schema.const];
  const others = schema.oneOf ?? schema.anyOf;
  if (!Array.isArray(others)) return [];
  const isList = (one) => isObject(one) && ('const' in one || Array.isArray(one.enum));
  return others.every(isList) ? others.flatMap((one) => listed(one)) : [];
}

/** @returns the fields of the option, and whether its values are JSON; undefined where it cannot be one */
function valuesOf(schema) {
  if (!isObject(schema)) return undefined;
  const values = listed(schema).filter((value) => value !== null);
  if (values.length > 0) return choicesOf(values, schema.default);
  const [type] = [schema.type].flat().filter((one) => one !== 'null');
  const fields = Object.hasOwn(FIELDS, type) ? FIELDS[type](schema) : undefined;
  return fields && { json: false, fields };
}

/** `storageSize` and `storage-size` are `storage_size` here. */
const optionNameOf = (name) =>
  name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, 45);

/**
 * The options of a schema of parameters.
 * @param known what options of this plan are to the broker, by their names: `name` and `json`. What is new is added: the
 * same parameter has the same name in a creation and in an update
 * @returns `options`, and the names of what cannot be one, with whether it is `required`
 */
export function optionsOf(parameters, known) {
  const root = parameters ?? {};
  // `true` is a schema too: it says nothing of any parameter.
  const { properties = {}, required: musts = [] } = isObject(root) ? whole(root, root) : {};
  const declared = Object.entries(properties).filter(([, schema]) => schema !== false);
  const left = musts.filter((name) => !declared.some(([one]) => one === name));
  const options = [];
  for (const [name, given] of declared) {
    const schema = whole(given, root);
    const values = valuesOf(schema);
    if (!values || options.length === MOST_OPTIONS) {
      left.push(name);
      continue;
    }
    const option = freeName(optionNameOf(name) || 'option', { name, json: values.json }, known);
    options.push({
      ...{ name: option, display_name: lineOf(schema.title, 100) || lineOf(name, 100) || option },
      ...{ description: textOf(schema.description, 500), required: musts.includes(name), ...values.fields },
    });
  }
  return { options, left: left.map((name) => ({ name, required: musts.includes(name) })) };
}

/** The name of a parameter's option, which no other parameter has. */
function freeName(name, parameter, known) {
  for (let count = 1; ; count += 1) {
    const option = count === 1 ? name : `${name}_${count}`;
    if (!known.has(option)) known.set(option, parameter);
    if (isDeepStrictEqual(known.get(option), parameter)) return option;
  }
}
