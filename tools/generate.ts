import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { EXAMPLES } from '../src/document/examples.ts';
import { clientFiles } from './client-types.ts';
import { collectionFiles } from './collections.ts';
import { currentDocument } from './document.ts';
import { examplesFile, recordExamples } from './examples.ts';

/*
 * Writes what is generated and committed: the examples of the OpenAPI document, which the server itself answers, and
 * what is made from the document, the client's types and the collections. Tests hold every file against a fresh one.
 * The programs run in the package's root.
 */
Object.assign(EXAMPLES, await recordExamples(await currentDocument()));
const document = await currentDocument();
// What an operation that was renamed or taken out leaves behind.
rmSync('collections', { recursive: true, force: true });
for (const [path, text] of Object.entries({
  'src/document/examples.json': examplesFile(EXAMPLES),
  ...(await clientFiles(document)),
  ...collectionFiles(document),
})) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
