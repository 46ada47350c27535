import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import t from 'tap';

const ROOTS = ['src', 'plugins', 'routes', 'schemas', 'console', 'drizzle'];

/** Exported names that stand twice, with one meaning: the list may only become shorter. */
const SHARED: Record<string, string[]> = {
  'a schema and the type of its values': [
    ...['Access', 'BillingType', 'CancellationType', 'NestedPlan', 'Pagination', 'RequestStatus', 'RequestType'],
    ...['Scope', 'ServiceStatus', 'SingleService'],
  ],
  'the same act of a broker and of an operator': [
    ...['cancelService', 'listConsumption', 'listPlans', 'listRequests', 'listServices', 'listUsage'],
    'suspendService',
  ],
  'the same of either engine': ['databaseOf', 'migrate', 'sessionOf', 'tables', 'targetOf', 'within'],
  'what each file of commands exports': ['register'],
};

const DECLARATION = /^export (?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;

function exportedNames(): Map<string, string[]> {
  const files = ROOTS.flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => posix.join(root, path)),
  ).filter((path) => /\.tsx?$/.test(path));
  const found = new Map<string, string[]>();
  for (const file of files) {
    const names = [...readFileSync(file, 'utf8').matchAll(DECLARATION)].map(([, name]) => String(name));
    for (const name of new Set(names)) found.set(name, [...(found.get(name) ?? []), file]);
  }
  return found;
}

t.test('one exported name has one meaning', async (t) => {
  const names = exportedNames();
  t.ok(names.size > 1000, 'the names are found');
  const twice = [...names].filter(([, files]) => files.length > 1);
  const allowed = Object.values(SHARED).flat().sort();
  t.strictSame(twice.map(([name]) => name).sort(), allowed);
});
