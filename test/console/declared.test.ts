import t from 'tap';
import { listAudit } from '../../src/operator/audit/audit.ts';
import { createBroker } from '../../src/operator/brokers/brokers.ts';
import { TEMPLATE_KINDS } from '../../src/operator/mail/templates.ts';
import { createTestConsole } from '../support/console.ts';
import { BROKER } from '../support/operator-context.ts';

const TEMPLATE = `/templates/:broker/:kind(${TEMPLATE_KINDS.join('|')})`;

/** The forms of the declared use cases, and the least role of each. */
const FORMS = {
  admin: [
    '/brokers/create',
    '/brokers/:broker/set',
    '/brokers/:broker/suspend',
    '/brokers/:broker/resume',
    '/brokers/:broker/recipients/add',
    '/brokers/:broker/recipients/remove',
    '/brokers/:broker/firewall/allow',
    '/brokers/:broker/firewall/remove',
    '/brokers/:broker/firewall/enable',
    '/brokers/:broker/firewall/disable',
    '/brokers/:broker/keys/create',
    '/brokers/:broker/keys/:key_id/set',
    '/brokers/:broker/keys/:key_id/rotate',
    '/brokers/:broker/keys/:key_id/revoke',
    '/plans/create',
    '/plans/option/add',
    '/plans/:planId/option/remove',
    '/plans/:planId/actions',
    '/plans/:planId/set',
    '/plans/:planId/preview',
    '/plans/:planId/remove',
    '/services/:number/client/erase',
    '/notices/add',
    '/notices/remove',
    '/notices/test',
    '/system/as-copy',
    '/system/declare',
    '/system/go-on',
    '/system/nothing-lost',
    '/operator-keys/create',
    '/operator-keys/:key_id/revoke',
    '/operators/add',
    '/operators/:operatorId/set',
    '/operators/:operatorId/remove',
    '/operators/:operatorId/link',
    '/operators/:operatorId/sign-out',
    `${TEMPLATE}/restore`,
  ],
  support: [
    '/system/go-on-all',
    '/services/:number/set',
    '/services/:number/suspend',
    '/services/:number/resume',
    '/services/:number/cancel',
    '/services/:number/action/:action',
    '/services/:number/submit',
    '/machines/compare',
    '/machines/import-file',
    '/requests/:request_id/review',
    '/requests/:request_id/retry',
    '/requests/:request_id/withdraw',
    '/requests/retry-all',
    '/emails/:email_id/settle',
    `${TEMPLATE}/send-test`,
  ],
} as const;

const LESSER = { admin: ['viewer', 'support'], support: ['viewer'] } as const;

const addressOf = (url: string): string =>
  url.replace(TEMPLATE, '/templates/acme/service-created').replace(':broker', 'acme').replaceAll(/:\w+/g, '1');

t.test('every form of a use case is for its role alone, and is not taken without the page’s token', async (t) => {
  const console = await createTestConsole();
  t.teardown(() => console.close());
  await createBroker.run(console.context, BROKER);
  const people = {
    viewer: await console.signedIn('viewer'),
    support: await console.signedIn('support'),
    admin: await console.signedIn('admin'),
  };
  for (const person of Object.values(people)) await person.get('/sessions');
  const before = (await listAudit(console.context)).length;
  for (const role of ['admin', 'support'] as const) {
    for (const url of FORMS[role]) {
      const path = addressOf(url);
      for (const held of LESSER[role]) {
        const refused = { status: 403, text: new RegExp(`needs the role ${role}; yours is ${held}`) };
        t.match(await people[held].post(path, { confirmed: 'yes', seen: '{}' }), refused, `${held}: ${url}`);
      }
      t.equal((await people[role].post(path, { form_token: '' })).status, 403, `without a token: ${url}`);
    }
  }
  t.equal((await listAudit(console.context)).length, before, 'nothing was changed');
  const declared = [...FORMS.admin, ...FORMS.support] as string[];
  const others =
    /^\/(imports|sessions|sign-in|sign-out|requests\/re(?:views|tries)|emails\/settlements)|^\/brokers\/:broker\/remove|\/imports\/|\/end$|^\/templates\/.*(\)|preview)$/;
  const posts = console.app.routePolicies.filter(({ method, url }) => method === 'POST' && !others.test(url));
  t.strictSame(posts.map(({ url }) => url).sort(), declared.sort(), 'every form is named here');
});

t.test('a viewer’s pages have no form that changes a record', async (t) => {
  const console = await createTestConsole();
  t.teardown(() => console.close());
  await createBroker.run(console.context, BROKER);
  const viewer = await console.signedIn('viewer');
  for (const path of ['/brokers', '/brokers/acme', '/plans', '/services', '/requests', '/emails']) {
    const page = await viewer.get(path);
    t.equal(page.status, 200, path);
    t.notMatch(page.body, /<form method="post" action="(?!\/sign-out")/, path);
  }
  t.equal((await viewer.get('/operators')).status, 403);
});
