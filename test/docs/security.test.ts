import { existsSync, readFileSync } from 'node:fs';
import t from 'tap';
import { MAX_UPLOAD_BYTES } from '../../console/plugins/files.ts';
import { MAX_FIELDS, MAX_FORM_BYTES } from '../../console/plugins/forms.ts';
import { MAX_VALUE } from '../../console/query.ts';
import { MAX_KNOWN, UNKNOWN } from '../../console/token-lookups.ts';
import { MAX_CACHED_BYTES, MAX_CACHED_KEYS } from '../../src/access/authenticate.ts';
import { MAX_DEPTH } from '../../src/fields/values.ts';
import { MAX_CONNECTIONS } from '../../src/http/connections.ts';
import { KEEP_ALIVE_MS } from '../../src/http/server.ts';
import { LINGER_MS, MAX_UNANSWERED } from '../../src/http/unanswered.ts';
import { LONGEST_WORK_MS, MAX_ATTEMPTS } from '../../src/lifecycle/fulfil-request.ts';
import { MAX_MESSAGE_BYTES } from '../../src/mail/compose.ts';
import { EXPORTED_MOST } from '../../src/operator/audit.ts';
import { IDLE_MS, LINK_LIFE_MS, SESSION_LIFE_MS } from '../../src/operator/console-access.ts';
import { FAULTS_KEPT } from '../../src/operator/import-file.ts';
import { HEAP, RECORDS_LISTED } from '../../src/operator/importing.ts';
import { MAX_OPERATORS } from '../../src/operator/operators.ts';
import { COUNTED_MOST, MAX_PAGE, MAX_PER_PAGE } from '../../src/operator/pages.ts';
import { VERSIONS_KEPT } from '../../src/operator/templates.ts';
import { CONNECT_TIMEOUT_MS } from '../../src/store/postgres-client.ts';
import { MAX_KEYS, ROW_LIMITS, USAGE_LIMITS } from '../../src/traffic/recorder.ts';

t.test(
  'bounds that other tests hold with numbers of their own, or by their names, are those of docs/security.md',
  async (t) => {
    t.strictSame(MAX_CONNECTIONS, { overAll: 10_000, ofOneAddress: 1_000 });
    t.equal(MAX_UNANSWERED, 16);
    t.strictSame([MAX_ATTEMPTS, LONGEST_WORK_MS], [20, 7 * 86_400_000]);
    t.strictSame([LINK_LIFE_MS, IDLE_MS, SESSION_LIFE_MS], [15 * 60_000, 12 * 3_600_000, 7 * 86_400_000]);
    t.equal(MAX_UPLOAD_BYTES, 5_000_000);
    t.strictSame([FAULTS_KEPT, RECORDS_LISTED], [1_000, 200]);
    t.strictSame([VERSIONS_KEPT, EXPORTED_MOST, COUNTED_MOST], [50, 100_000, 10_000]);
    t.equal(MAX_FORM_BYTES, 1_000_000);
    t.equal(MAX_KEYS, 20_000);
    t.strictSame([MAX_CACHED_KEYS, MAX_CACHED_BYTES], [20_000, 64 * 1024 * 1024]);
    t.strictSame([KEEP_ALIVE_MS, LINGER_MS, MAX_DEPTH], [72_000, 1_000, 8]);
    t.equal(CONNECT_TIMEOUT_MS, 3_000);
    t.match(UNKNOWN, { atOnce: 2, atOnceOfBroker: 1, waiting: 200, waitingOfBroker: 20, patienceMs: 1_000 });
    t.strictSame([MAX_KNOWN, MAX_OPERATORS], [10_000, 1_000]);
    t.strictSame([MAX_PER_PAGE, MAX_PAGE, MAX_FIELDS, MAX_VALUE], [100, 100_000, 500, 200]);
    t.equal(MAX_MESSAGE_BYTES, 10_000_000);
    t.equal(HEAP.maxOldGenerationSizeMb, 512);
    t.strictSame(ROW_LIMITS, { key: 20, all: 200, waiting: 2_000 });
    t.strictSame(USAGE_LIMITS, { key: 64, all: 5_000, waiting: 20_000 });
  },
);

const page = readFileSync('docs/security.md', 'utf8');

/** Every name in backticks that stands for a test: after "Tests:" and in brackets. */
const named = [
  ...(page.match(/^Tests: [^|]*?(?=Beyond|\n\n)/gm) ?? []),
  ...(page.match(/\((?:`[a-z0-9/-]+`,?\s*)+\)/g) ?? []),
].flatMap((text) => Array.from(text.matchAll(/`([a-z0-9/-]+)`/g), ([, name]) => String(name)));

t.test('each test that docs/security.md names is a file or a folder', async (t) => {
  t.ok(named.length > 40, `the names are found: ${named.length}`);
  for (const name of new Set(named)) {
    const paths = name.endsWith('/') ? [`test/${name}`] : [`test/${name}.test.ts`, `test/${name}.test.tsx`];
    t.ok(paths.some(existsSync), name);
  }
});
