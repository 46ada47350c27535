import { built, rebuild } from '../bin/ensure-built.mjs';

rebuild();
await import(built('bench/main.js'));
