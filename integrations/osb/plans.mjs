/*
 * Prints a plan file made from the broker's catalogue, for `broker plans import`:
 *   OSB_URL=... OSB_USERNAME=... OSB_PASSWORD=... node plans.mjs > plans.json
 * What cannot be an option of a plan is named on the other output.
 */
import { createHash } from 'node:crypto';
import { ask } from './broker.mjs';
import { lineOf, optionsOf, textOf } from './options.mjs';

const LONGEST_NAME = 128;
/** As many as an import puts on sale. */
const MOST_PLANS = 1000;
/** Bytes as JSON: of options and actions together, and of what the connector gets. */
const MOST_OFFERED = 32_768;
const MOST_PROVISIONING = 8192;

const fold = (name) => name.normalize('NFC').toLowerCase();
const sizeOf = (value) => Buffer.byteLength(JSON.stringify(value));

/** Names of plans that are in use here, without case: the names of one lead to no other. */
const used = new Set();

/** The slug and the name of a plan. What is not free gets a part that is made of the plan's id, and so stays the same. */
function namesOf(service, plan) {
  const mark = createHash('sha1').update(plan.id).digest('hex').slice(0, 8);
  const title = lineOf(`${service.name} ${plan.name}`, LONGEST_NAME) || `plan ${mark}`;
  const slug = slugOf(title) || `plan-${mark}`;
  const isFree = !used.has(fold(slug)) && !used.has(fold(title));
  const short = LONGEST_NAME - mark.length - 1;
  const names = isFree
    ? { slug, display_name: title }
    : { slug: `${cut(slug, short)}-${mark}`, display_name: `${cut(title, short)} ${mark}` };
  for (const name of Object.values(names)) used.add(fold(name));
  return names;
}

const cut = (text, length) => [...text].slice(0, length).join('').trim();
const slugOf = (title) => title.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-').replace(/^[^\p{L}\p{N}]+/u, '');

const action = (name, display_name, options) => ({
  ...{ name, display_name, description: null, options, requires_operator_review: false, destroys_data: false },
});

function planOf(service, plan, rank) {
  const names = namesOf(service, plan);
  const schemas = plan.schemas?.service_instance;
  const known = new Map();
  const created = optionsOf(schemas?.create?.parameters, known);
  const updated = optionsOf(schemas?.update?.parameters, known);
  const leave = ({ name, required }, where = '') => {
    const must = required ? 'REQUIRED, so give it a value as "fixed": ' : '';
    console.error(`${names.display_name}${where}: left out: ${must}${name}`);
  };
  for (const one of created.left) leave(one);
  for (const one of updated.left) leave(one, ', update');
  const has_credentials = plan.bindable ?? service.bindable ?? false;
  for (;;) {
    const actions = [
      ...(updated.options.length > 0 ? [action('reconfigure', 'Change options', updated.options)] : []),
      ...(has_credentials ? [action('reset_password', 'New credentials', [])] : []),
    ];
    const provisioning = { service_id: service.id, plan_id: plan.id, parameters: parametersOf(known) };
    const isTooLong = sizeOf(created.options) + sizeOf(actions) > MOST_OFFERED;
    if (!isTooLong && sizeOf(provisioning) <= MOST_PROVISIONING) {
      const description = textOf(plan.description, 2000);
      const terms = { upgrade_rank: rank, billing_type: 'monthly', has_credentials };
      return { ...names, description, ...terms, options: created.options, actions, provisioning };
    }
    // The longest goes, of both where both have it: by what it takes of that which is too long.
    const weights = [...known].map(([option, parameter]) => {
      const all = [...created.options, ...updated.options].filter(({ name }) => name === option);
      return { option, all, weight: isTooLong ? sizeOf(all) : sizeOf(parameter) };
    });
    const longest = weights.toSorted((one, other) => other.weight - one.weight)[0];
    if (!longest) {
      console.error(`${names.display_name}: the plan is left out: its ids are too long`);
      return undefined;
    }
    leave({ name: known.get(longest.option).name, required: longest.all.some(({ required }) => required) });
    known.delete(longest.option);
    for (const one of [created, updated]) one.options = one.options.filter(({ name }) => name !== longest.option);
  }
}

/** What options are to the broker, where that is not the same. */
const parametersOf = (known) =>
  Object.fromEntries([...known].filter(([option, { name, json }]) => json || option !== name));

const { body } = await ask('GET', '/catalog');
const plans = body.services
  .flatMap((service) => service.plans.map((plan, index) => planOf(service, plan, 10 * (index + 1))))
  .filter(Boolean);
if (plans.length > MOST_PLANS)
  console.error(`Only the first ${MOST_PLANS} plans are active; the others can be sold later.`);
const listed = plans.map((plan, index) => (index < MOST_PLANS ? plan : { ...plan, active: false }));
console.log(JSON.stringify(listed, null, 2));
