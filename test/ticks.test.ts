import { execFileSync } from 'node:child_process';
import t from 'tap';
import { captureTick } from '../src/ticks.ts';

t.test('what is captured is a tick of this process', (t) => {
  t.match(captureTick(), { callback: Function });
  t.end();
});

t.test('while a tick is held, those after a collection of garbage have its shape', (t) => {
  const module = new URL('../src/ticks.js', import.meta.url);
  const script = `
    import { captureTick } from ${JSON.stringify(String(module))};
    const held = captureTick();
    for (let n = 0; n < 3; n += 1) gc();
    setImmediate(() => console.log(%HaveSameMap(held, captureTick())));`;
  const flags = ['--expose-gc', '--allow-natives-syntax', '--input-type=module', '--eval', script];
  t.equal(execFileSync(process.execPath, flags, { encoding: 'utf8' }), 'true\n');
  t.end();
});
