import { built, ensureBuilt } from './ensure-built.mjs';

ensureBuilt();
await import(built('src/server.js'));
