import t from 'tap';
import type { ImportError } from '../../src/operator/errors.ts';
import { planSlug } from '../../src/operator/fields.ts';
import { readImportFile, required } from '../../src/operator/import-file.ts';

t.test('a fault that a check finds again, because its transaction ran again, is told once', async (t) => {
  const file = readImportFile(
    { name: 'plans.json', content: Buffer.from('[{"slug": "start"}]') },
    { slug: required(planSlug) },
  );
  for (const record of file.records) for (const _run of [1, 2]) record.fault('slug', 'is taken');
  const refused = t.throws(() => file.refuseFaulty()) as unknown as ImportError;
  t.strictSame(
    refused.records.map(({ faults }) => faults),
    [[{ field: 'slug', message: 'is taken' }]],
  );
});
