import { Command } from 'commander';
import t from 'tap';
import { type CommandError, inWordsOf } from '../../src/cli/errors.ts';
import { ImportError, invalid, nothingToChange, refused } from '../../src/operator/use-case/errors.ts';

const command = new Command('set <number>')
  .argument('<number>')
  .option('--client-email <email>')
  .option('--no-review')
  .option('--status <status>');

const WORDS: Record<string, string> = {
  service_number: 'number',
  'client.email': 'client-email',
  service_status: 'status',
};

t.test('a fault that a use case finds is reported with the option or argument that the person typed', async (t) => {
  const words = (error: unknown) =>
    (inWordsOf(command, error, (field) => WORDS[field] ?? field) as CommandError).message;
  t.equal(words(invalid({ field: 'service_number', message: 'must be whole' })), '<number>: must be whole');
  t.equal(words(invalid({ field: 'client.email', message: 'is long' })), '--client-email: is long');
  t.equal(
    words(invalid({ field: 'service_status', message: 'is odd' }, { field: 'colour', message: 'is odd too' })),
    '--status: is odd; colour: is odd too',
  );
  t.equal(
    words(nothingToChange('service_status', 'client.email', 'service_number')),
    'Nothing to change: give --status, --client-email or <number>',
  );
  t.equal(words(refused('It is over')), 'It is over');
});

t.test('a refused file keeps a line for each faulty record', async (t) => {
  const error = new ImportError('a.json: 2 of 3 records are faulty', [
    { where: 'record 1', at: 1, faults: [{ field: null, message: 'must be an object' }] },
    {
      where: 'record 3',
      at: 3,
      faults: [
        { field: 'slug', message: 'is required' },
        { field: 'plan', message: 'is no known field' },
      ],
    },
  ]);
  t.match(inWordsOf(command, error), {
    name: 'CommandError',
    message: 'a.json: 2 of 3 records are faulty',
    faults: ['record 1: must be an object', 'record 3: slug: is required; plan: is no known field'],
  });
});

t.test('what is no failure of a use case stays what it is', async (t) => {
  const error = new TypeError('x');
  t.equal(inWordsOf(command, error), error);
});
