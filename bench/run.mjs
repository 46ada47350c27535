import { build, compile, PROGRAMS } from '../tools/build.mjs';

await build();
await compile([...PROGRAMS, 'bench/main.ts', 'bench/bare.ts'], 'dist', { sourcemap: true });
await import('../dist/bench/main.js');
