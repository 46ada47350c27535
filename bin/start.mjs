import { built, ensureBuilt } from './build.mjs';

ensureBuilt();
await import(built('src/server.js'));
