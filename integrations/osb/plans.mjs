/*
 * Prints a plan file made from the broker's catalogue, for `broker plans import`:
 *   OSB_URL=... OSB_USERNAME=... OSB_PASSWORD=... node plans.mjs > plans.json
 * What cannot be an option of a plan is named on the other output.
 */
import { ask } from './broker.mjs';

const MOST_OPTIONS = 20;
const LONGEST_CHOICE = 100;
const LONGEST_TEXT = 4000;

const lineOf = (text, length) => text.replace(/\s+/g, ' ').trim().slice(0, length);
const slugOf = (text) => lineOf(text, 128).replace(/[^\p{L}\p{M}\p{N}._-]/gu, '-');
/** `storageSize` and `storage-size` are `storage_size` here. */
const optionNameOf = (name) =>
  name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, 50);

/** Choices are texts: of values that are not, their JSON. */
function choicesOf(values, preset) {
  const json = values.some((value) => typeof value !== 'string');
  const textOf = (value) => (json ? JSON.stringify(value) : value);
  const choices = values.map((value) => ({ value: textOf(value), display_name: textOf(value) }));
  if (choices.some(({ value }) => value.trim() === '' || value.length > LONGEST_CHOICE)) return undefined;
  return { json, fields: { type: 'choice', choices, default: values.includes(preset) ? textOf(preset) : null } };
}

/** By type of a schema: the fields of its option. */
const FIELDS = {
  boolean: ({ default: preset }) => ({ type: 'boolean', default: typeof preset === 'boolean' ? preset : null }),
  integer: ({ default: preset, minimum, maximum }) => ({
    type: 'number',
    ...(Number.isFinite(minimum) && { minimum: Math.ceil(minimum) }),
    ...(Number.isFinite(maximum) && { maximum: Math.floor(maximum) }),
    default: Number.isInteger(preset) ? preset : null,
  }),
  string: ({ default: preset, maxLength = 255, format }) => ({
    type: 'text',
    max_length: Math.min(Math.max(maxLength, 1), LONGEST_TEXT),
    ...(format === 'hostname' && { format, max_length: Math.min(maxLength, 253) }),
    default: typeof preset === 'string' && preset.trim() !== '' ? preset : null,
  }),
};
FIELDS.number = FIELDS.integer;

/** @returns the fields of the option, and whether its values are JSON; undefined where it cannot be one */
function valuesOf(schema) {
  const values = (schema.enum ?? ('const' in schema ? [schema.const] : [])).filter((value) => value !== null);
  if (values.length > 0) return choicesOf(values, schema.default);
  const [type] = [schema.type].flat().filter((one) => one !== 'null');
  return Object.hasOwn(FIELDS, type) ? { json: false, fields: FIELDS[type](schema) } : undefined;
}

/** The options of a schema, and the table of what they are to the broker where that is not the same. */
function optionsOf({ properties = {}, required = [] } = {}, title) {
  const options = new Map();
  const parameters = {};
  for (const [name, schema] of Object.entries(properties)) {
    const option = optionNameOf(name);
    const found = valuesOf(schema);
    if (!found || option === '' || options.has(option) || options.size === MOST_OPTIONS) {
      const must = required.includes(name) ? 'REQUIRED, so give it a value as "fixed": ' : '';
      console.error(`${title}: left out: ${must}${name}`);
      continue;
    }
    options.set(option, {
      ...{ name: option, display_name: lineOf(schema.title || name, 100) },
      ...(schema.description && { description: schema.description.slice(0, 500) }),
      ...{ required: required.includes(name), ...found.fields },
    });
    if (option !== name || found.json) parameters[option] = { name, json: found.json };
  }
  return { options: [...options.values()], parameters };
}

const action = (name, display_name, options) => ({ name, display_name, options });

function planOf(service, plan, rank) {
  const title = `${service.name} ${plan.name}`;
  const schemas = plan.schemas?.service_instance;
  const created = optionsOf(schemas?.create?.parameters, title);
  const updated = optionsOf(schemas?.update?.parameters, `${title}, update`);
  const has_credentials = plan.bindable ?? service.bindable ?? false;
  return {
    ...{ slug: slugOf(title), display_name: lineOf(title, 128), description: plan.description },
    ...{ upgrade_rank: rank, billing_type: 'monthly', has_credentials, options: created.options },
    actions: [
      ...(updated.options.length > 0 ? [action('reconfigure', 'Change options', updated.options)] : []),
      ...(has_credentials ? [action('reset_password', 'New credentials', [])] : []),
    ],
    provisioning: {
      ...{ service_id: service.id, plan_id: plan.id },
      parameters: { ...updated.parameters, ...created.parameters },
    },
  };
}

const { body } = await ask('GET', '/catalog');
const plans = body.services.flatMap((service) =>
  service.plans.map((plan, index) => planOf(service, plan, 10 * (index + 1))),
);
console.log(JSON.stringify(plans, null, 2));
