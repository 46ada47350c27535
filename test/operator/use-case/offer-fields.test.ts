import t from 'tap';
import { type OfferPart, readOfferPart } from '../../../src/operator/use-case/offer-fields.ts';

const read = (part: OfferPart, value: unknown) => {
  const result = readOfferPart(part, JSON.stringify(value));
  return 'faults' in result ? result.faults.map(({ field, message }) => `${field}: ${message}`) : result.value;
};

t.test('what a definition does not say is filled in, as callers see it', async (t) => {
  const options = [
    {
      name: 'image',
      display_name: ' Image ',
      type: 'choice',
      choices: [{ value: 'a', display_name: 'A' }],
      default: 'a',
    },
    { name: 'key', display_name: 'Key', type: 'text', format: 'ssh_public_key', required: true },
    { name: 'host', display_name: 'Host', description: null, type: 'text', max_length: 64 },
    { name: 'size', display_name: 'Size', type: 'number', minimum: 1, maximum: null },
    { name: 'backup', display_name: 'Backup', type: 'boolean', default: false },
  ];
  const filled = [
    {
      name: 'image',
      display_name: 'Image',
      description: null,
      type: 'choice',
      required: false,
      default: 'a',
      choices: [{ value: 'a', display_name: 'A' }],
    },
    {
      name: 'key',
      display_name: 'Key',
      description: null,
      type: 'text',
      required: true,
      default: null,
      max_length: 4000,
      format: 'ssh_public_key',
    },
    {
      name: 'host',
      display_name: 'Host',
      description: null,
      type: 'text',
      required: false,
      default: null,
      max_length: 64,
      format: null,
    },
    {
      name: 'size',
      display_name: 'Size',
      description: null,
      type: 'number',
      required: false,
      default: null,
      minimum: 1,
      maximum: null,
    },
    { name: 'backup', display_name: 'Backup', description: null, type: 'boolean', required: false, default: false },
  ];
  t.strictSame(read('options', options), filled);
  t.strictSame(read('options', filled), filled, 'what was filled in can be handed in again');
  t.strictSame(read('actions', [{ name: 'reinstall', display_name: 'Reinstall', options: options.slice(4) }]), [
    {
      name: 'reinstall',
      display_name: 'Reinstall',
      description: null,
      options: filled.slice(4),
      requires_operator_review: false,
      destroys_data: false,
    },
  ]);
  const provisioning = { template: 9000, node: ' pve1 ', nested: { list: [1, null] } };
  t.strictSame(read('provisioning', provisioning), provisioning, 'the provisioner gets it as it was written');
});

const choice = { name: 'a', display_name: 'A', type: 'choice' };
const text = { name: 'a', display_name: 'A', type: 'text' };
const number = { name: 'a', display_name: 'A', type: 'number' };
const choices = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ value: `v${index}`, display_name: 'V' }));

t.test('every fault of a definition is named by its path', async (t) => {
  const faulty: Array<[OfferPart, unknown, Array<string | RegExp>]> = [
    ['options', {}, [/^options: must be array/]],
    ['options', [1], [/^options\.0: must be object/]],
    [
      'options',
      [{ name: 'Not Good', display_name: '\u200b', type: 'password', pattern: '.*' }],
      [
        'options.0.pattern: is not known here',
        'options.0.name: must be small letters, digits and "_", with a letter first, at most 50',
        'options.0.display_name: must not be blank',
        'options.0.type: must be one of choice, text, number, boolean',
      ],
    ],
    ['options', [{}], [/0\.name: is required/, /0\.display_name: is required/, /0\.type: is required/]],
    ['options', [text, { ...number, name: 'a' }], ['options.1.name: "a" is there twice']],
    ['options', [choice], ['options.0.choices: is required']],
    ['options', [{ ...choice, choices: [] }], [/^options\.0\.choices: must be a list of 1 to 200 choices/]],
    ['options', [{ ...choice, choices: choices(201) }], [/^options\.0\.choices: must be a list of 1 to 200 choices/]],
    [
      'options',
      [{ ...choice, choices: [...choices(2), ...choices(1)] }],
      ['options.0.choices.2.value: "v0" is there twice'],
    ],
    ['options', [{ ...choice, choices: choices(2), default: 'v2' }], ['options.0.default: must be one of v0, v1']],
    ['options', [{ ...number, minimum: 3, maximum: 2 }], ['options.0.maximum: must not be below minimum']],
    ['options', [{ ...number, minimum: 3, default: 2 }], [/^options\.0\.default: must be between 3 and/]],
    ['options', [{ ...number, minimum: 1.5 }], [/^options\.0\.minimum: must be integer/]],
    ['options', [{ ...text, max_length: 4001 }], [/^options\.0\.max_length: must be <= 4000/]],
    ['options', [{ ...text, max_length: 2, default: 'abc' }], ['options.0.default: must have at most 2 characters']],
    ['options', [{ ...text, format: 'hostname', default: '-' }], [/^options\.0\.default: must be a host name/]],
    [
      'options',
      [{ ...text, choices: choices(1), minimum: 1 }],
      ['options.0.choices: belongs to the type choice alone', 'options.0.minimum: belongs to the type number alone'],
    ],
    [
      'options',
      [{ ...text, display_name: '\ud800' }],
      ['options.0.display_name: holds a character that cannot be stored'],
    ],
    [
      'options',
      Array.from({ length: 21 }, (_, index) => ({ ...text, name: `a${index}` })),
      [/^options: must be a list of at most 20 options/],
    ],
    [
      'actions',
      [
        { name: 'a', display_name: 'A', options: [choice] },
        { name: 'a', display_name: 'A', destroys_data: 'yes' },
      ],
      [/^actions\.1\.destroys_data: must be boolean/],
    ],
    [
      'actions',
      [
        { name: 'a', display_name: 'A', options: [choice] },
        { name: 'a', display_name: 'A' },
      ],
      ['actions.1.name: "a" is there twice', 'actions.0.options.0.choices: is required'],
    ],
    ['provisioning', [], [/^provisioning: must be object/]],
    ['provisioning', { a: 'x'.repeat(8200) }, ['provisioning: must have at most 8192 bytes']],
  ];
  for (const [part, value, expected] of faulty) {
    const found = read(part, value);
    t.match(found, expected);
    t.equal((found as string[]).length, expected.length, String(expected));
  }
  t.match(readOfferPart('options', '[{'), { faults: [{ field: 'options', message: 'must be JSON' }] });
  const deep = `${'{"a":'.repeat(30)}1${'}'.repeat(30)}`;
  t.match(readOfferPart('provisioning', deep), { faults: [{ message: /^must be nested at most 20 deep/ }] });
  t.match(readOfferPart('provisioning', '{"a":1e400}'), { faults: [{ message: /at most 308 digits/ }] });
  t.equal((read('options', Array(5_000).fill(1)) as string[]).length, 20, 'of many faults the first ones are named');
});
