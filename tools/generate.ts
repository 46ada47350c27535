import { writeFileSync } from 'node:fs';
import { EXAMPLES } from '../src/document/examples.ts';
import { answersModule } from './conformance-answers.ts';
import { currentDocument } from './document.ts';
import { examplesFile, recordExamples } from './examples.ts';

/* `npm run generate`: writes the examples of the OpenAPI document, which the server itself answers, and what the conformance checks compare. */

Object.assign(EXAMPLES, await recordExamples(await currentDocument()));
writeFileSync('src/document/examples.json', examplesFile(EXAMPLES));
writeFileSync('conformance/src/generated/answers.ts', answersModule(await currentDocument()));
