import { createWorld } from '../support/world.ts';
import { createTestConsole } from '../support/console.ts';
import { createOperatorContext } from '../support/operator-context.ts';
const cpu = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
async function each(name: string, make: () => Promise<{ close(): Promise<unknown> }>) {
  const times: string[] = [];
  for (let i = 0; i < 12; i++) { const a = cpu(); const w = await make(); const b = cpu(); await w.close(); times.push(`${(b - a).toFixed(0)}+${(cpu()-b).toFixed(0)}`); }
  console.log(name, times.join(' '));
}
await each('context', createOperatorContext);
await each('world', createWorld);
await each('console', createTestConsole);
