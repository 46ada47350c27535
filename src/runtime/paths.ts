import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(import.meta.url);

const findRoot = (folder: string): string =>
  existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder));

/** The folder of package.json. Files such as migrations and style sheets are read from there, built or not. */
const root = findRoot(dirname(here));

/** `src` where the sources themselves run; otherwise the folder of the build. */
const [running = ''] = relative(root, here).split(sep);

/** The absolute path of a file of this package. */
export const packageFile = (path: string): string => join(root, path);

/** The absolute path of a program of this package that runs as a thread or process, by its path below src. */
export const programFile = (name: string): string =>
  running === 'src' ? join(root, 'src', `${name}.ts`) : join(root, running, 'src', `${name}.js`);

/** The absolute path of a file that the build makes smaller: where the sources themselves run, of its source. */
export const smallerFile = (path: string): string => packageFile(running === 'src' ? path : `dist/${path}`);
