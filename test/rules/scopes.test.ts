import t from 'tap';
import { grants, matchedScope, SCOPES, type Scope } from '../../src/rules/scopes.ts';

t.test('admin:full opens every door', async (t) => {
  for (const scope of SCOPES) {
    t.ok(grants(['admin:full'], [scope]), scope);
    t.equal(matchedScope(['admin:full'], [scope]), 'admin:full');
  }
});

t.test('a scope opens its own door and those that it implies, and no other', async (t) => {
  const opens: Record<Exclude<Scope, 'admin:full'>, readonly Scope[]> = {
    'credentials:read': ['credentials:read'],
    'plans:read': ['plans:read'],
    'reports:send': ['reports:send'],
    'requests:read': ['requests:read'],
    'requests:write': ['requests:read', 'requests:write'],
    'services:operate': ['requests:read', 'services:operate', 'services:read'],
    'services:read': ['services:read'],
    'services:write': ['services:read', 'services:write'],
  };
  for (const [held, doors] of Object.entries(opens)) {
    t.same(
      SCOPES.filter((needed) => grants([held as Scope], [needed])),
      doors,
      held,
    );
  }
});

t.test('a key without scopes passes only where none is needed', async (t) => {
  t.ok(grants([], []));
  t.equal(matchedScope(['admin:full'], []), undefined);
  t.notOk(grants([], ['plans:read', 'admin:full']));
  t.equal(matchedScope([], ['plans:read', 'admin:full']), undefined);
});

t.test('the matched scope is the first one held by name, else the one that implies', async (t) => {
  const needed: Scope[] = ['services:read', 'admin:full'];
  t.equal(matchedScope(['admin:full', 'services:read'], needed), 'services:read');
  t.equal(matchedScope(['admin:full', 'services:write'], needed), 'admin:full');
  t.equal(matchedScope(['plans:read', 'services:write'], needed), 'services:write');
});
