import { readFileSync } from 'node:fs';
import t from 'tap';
import { currentDocument } from '../../tools/document.ts';
import { examplesModule, recordExamples } from '../../tools/examples.ts';

t.test("the document's examples are what the server answers; npm run generate writes them down", async (t) => {
  const fresh = examplesModule(await recordExamples(await currentDocument()));
  t.ok(readFileSync('src/document/examples.ts', 'utf8') === fresh);
});
