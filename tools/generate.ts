import { writeFileSync } from 'node:fs';
import { answersModule } from './conformance-answers.ts';
import { currentDocument } from './document.ts';

/* `npm run generate`: writes what the conformance checks compare, from the OpenAPI document. */

writeFileSync('conformance/src/generated/answers.ts', answersModule(await currentDocument()));
