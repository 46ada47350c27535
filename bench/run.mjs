import { built, rebuild } from '../bin/build.mjs';

rebuild();
await import(built('bench/main.js'));
