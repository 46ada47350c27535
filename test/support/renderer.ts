import { createTemplateRenderer } from '../../src/mail/renderer.ts';

/** One renderer for all tests of a process: starting its threads takes longer than most tests. */
export const templates = createTemplateRenderer();
