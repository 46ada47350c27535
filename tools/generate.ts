import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { clientFiles } from './client-types.ts';
import { collectionFiles } from './collections.ts';
import { currentDocument } from './document.ts';

/*
 * Writes what is generated from the OpenAPI document and committed: the client's types and the collections. Tests
 * hold every file against a fresh one. The programs run in the package's root.
 */
const document = await currentDocument();
// What an operation that was renamed or taken out leaves behind.
rmSync('collections', { recursive: true, force: true });
for (const [path, text] of Object.entries({ ...(await clientFiles(document)), ...collectionFiles(document) })) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
