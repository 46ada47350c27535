#!/usr/bin/env node
import { built, ensureBuilt } from './build.mjs';

ensureBuilt();
const { main } = await import(built('src/broker.js'));
await main();
