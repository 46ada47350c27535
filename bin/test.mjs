import { spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';

/*
 * Runs the compiled tests: all of them, or the ones that are named as they stand in the tree
 * (`npm test -- test/routes/v1/plans.test.ts`), which is quick and looks at no coverage.
 *
 * The code of the PostgreSQL and Redis paths is covered only where those servers answer; where one does not, its tests
 * are skipped and the coverage bar is lifted for that run, which is said loudly. With REQUIRE_SERVICES set, as in
 * .ci/run, the bar stands and the tests of a missing server fail.
 */
const services = {
  PostgreSQL: process.env.TEST_POSTGRES_URL || 'postgres://postgres@127.0.0.1:5432/postgres',
  Redis: process.env.TEST_REDIS_URL || 'redis://127.0.0.1:6379',
};
const DEFAULT_PORTS = { PostgreSQL: 5432, Redis: 6379 };

const answers = (name) =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(services[name]);
    const socket = connect({ host: hostname, port: Number(port) || DEFAULT_PORTS[name], timeout: 2000 });
    const settle = (answered) => {
      socket.destroy();
      resolve(answered);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
    socket.once('timeout', () => settle(false));
  });

const missing = [];
for (const name of Object.keys(services)) if (!(await answers(name))) missing.push(name);

const options = process.argv.slice(2).map((argument) => argument.replace(/^(?:\.\/)?(test\/.+)\.ts$/, 'dist/$1.js'));
if (options.some((argument) => argument.startsWith('dist/test/'))) {
  options.push('--disable-coverage');
} else if (missing.length > 0 && !process.env.REQUIRE_SERVICES) {
  options.push('--allow-incomplete-coverage');
  console.error(
    `\n*** ${missing.join(' and ')} NOT AVAILABLE: their tests are skipped, and coverage is not enforced ***\n`,
  );
}
const tap = fileURLToPath(new URL('../node_modules/.bin/tap', import.meta.url));
const { status } = spawnSync(tap, options, { stdio: 'inherit' });
process.exitCode = status ?? 1;
