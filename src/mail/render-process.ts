import type { TemplateSource, TemplateValues } from '../ports.ts';
import { createTemplateEngine, type TemplateFault } from './templates.ts';

/*
 * The program of a rendering process (src/mail/renderer.ts): it renders what it is sent, one template at a time, and
 * ends with its parent.
 */

/** The parts rendered with `values`, or without them the template's faults. */
export interface RenderTask {
  template: TemplateSource;
  values: TemplateValues | null;
}

/** The answer to a task with values. */
export type Rendered = { rendered: TemplateSource } | { error: string };

/** The answer to a task without. */
export interface Checked {
  faults: TemplateFault[];
}

/** The first message of a process, once it can take tasks. */
export const READY = 'ready';

const engine = createTemplateEngine();

function run({ template, values }: RenderTask): Rendered | Checked {
  if (values === null) return { faults: engine.check(template) };
  try {
    return { rendered: engine.render(template, values) };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

process.on('message', (task: RenderTask) => process.send?.(run(task)));
process.on('disconnect', () => process.exit());
process.send?.(READY);
