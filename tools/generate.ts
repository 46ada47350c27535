import { writeFileSync } from 'node:fs';
import { currentDocument } from '../src/api-document.ts';
import { EXAMPLES } from '../src/document/examples.ts';
import { examplesFile, recordExamples } from './examples.ts';

/* `npm run generate`: writes the examples of the OpenAPI document, which the server itself answers. */

Object.assign(EXAMPLES, await recordExamples(await currentDocument()));
writeFileSync('src/document/examples.json', examplesFile(EXAMPLES));
