import { rebuild } from './ensure-built.mjs';

rebuild();
