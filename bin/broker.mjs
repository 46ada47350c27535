#!/usr/bin/env node
import { built, ensureBuilt } from './ensure-built.mjs';

ensureBuilt();
const { main } = await import(built('src/cli/main.js'));
await main();
