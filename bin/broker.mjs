#!/usr/bin/env node
import './up-to-date.mjs';

const { main } = await import('../dist/src/cli/main.js');
await main();
