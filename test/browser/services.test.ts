import t from 'tap';
import { showService } from '../../src/operator/services/views.ts';
import { closeBrowser } from '../support/browser.ts';
import { openDesk } from '../support/desk.ts';
import { aRequest } from '../support/rows.ts';
import { handsOf } from './steps.ts';

// What an operator does with services and their clients, with nothing but the console: each journey begins at the
// overview, goes where the pages lead, and takes so many clicks.

t.teardown(closeBrowser);

t.test('services and their clients', async (t) => {
  const desk = await openDesk(t, { hasProvisioner: true });
  if (!desk) return;
  const { context, store, clock } = desk.console;
  const { page } = await desk.signIn('admin');
  const hands = handsOf(page, desk);
  const statusOf = async (number: number) =>
    (await showService.run(context, { service_number: number })).service_status;
  t.beforeEach(() => hands.begin());

  await t.test(
    'find a client and all about them: the page of a service leads to all services of its client',
    async (t) => {
      await hands.find('Eva Esempio');
      await hands.follow(/render-1/);
      await hands.follow('Eva Esempio');
      await hands.isAt('Eva Esempio');
      t.match(await hands.text(), /Services of Demo Hosting with this address[\s\S]*1000005/);
      t.equal(hands.clicks(), 3);
    },
  );

  await t.test('erase a client: what goes and what stays is named before it is done', async (t) => {
    await hands.find('left.example.com');
    await hands.follow('Max Beispiel');
    t.match(await hands.part('Client').text(), /Erasure\s+possible: every service with this address has ended/);
    await hands.press('Erase…');
    await hands.sees(/is erased for good: name, address and texts in 1 ended service/);
    await hands.press('Erase');
    await hands.isAt('Erased client');
    t.equal(hands.clicks(), 4);
  });

  await t.test(
    'suspend a service with a reason, and lift it: the page says what stands and what is under way',
    async (t) => {
      await hands.find('shop.example.com');
      await hands.press('Suspend…');
      await hands.write('Reason', 'unpaid since March');
      await hands.press('Suspend');
      await hands.sees('Suspended: only an operator can lift that.');
      t.match(await hands.part('Now').text(), /by the operator[\s\S]*unpaid since March/);
      t.equal(await statusOf(1_000_001), 'suspended');
      await hands.press('Lift the suspension…');
      await hands.press('Lift the suspension');
      await hands.sees(/Service unsuspension/);
      t.equal(hands.clicks(), 5);
    },
  );

  await t.test('whose service is this address: the search leads to its page', async (t) => {
    await hands.find('192.0.2.13');
    await hands.isAt('team.example.com');
    t.match(await hands.part('Service').text(), /Client\s+Clara Muster/);
    t.equal(hands.clicks(), 1);
  });

  await t.test(
    'a client says that the login does not work: what they need is on the page, and a new password is a button',
    async (t) => {
      await hands.find('Clara Muster');
      await hands.isAt('team.example.com');
      t.match(
        await hands.part('Access').text(),
        /User\s+root[\s\S]*Password\s+the client sees it at the broker[\s\S]*Login\s+https:/,
      );
      await hands.press('New password…');
      await hands.press('New password');
      await hands.sees('Submitted: New password of service 1000003.');
      t.equal(hands.clicks(), 3);
    },
  );

  await t.test('reboot it for them: its page has the button, the request is named by it', async (t) => {
    await hands.find('archive.example.com');
    await hands.isAt('archive.example.com');
    t.notMatch(await hands.text(), /Restart…/, 'a plan without actions has none of their buttons');
    await hands.begin();
    await hands.find('render-1.example.com');
    await hands.isAt(/^render-1/);
    await hands.press('Restart…');
    await hands.press('Restart');
    await hands.isAt('Restart of service 1000005');
    await hands.sees('Submitted: Restart of service 1000005.');
    t.equal(hands.clicks(), 3);
  });

  await t.test(
    'reinstall it with another system: that it deletes the data is said before and after, and what was chosen',
    async (t) => {
      await hands.find('blog.example.com');
      await hands.press('Install anew…');
      await hands.sees(/deletes the data of service 1000002 of Ben Sample/);
      await hands.choose('Operating system', 'ubuntu-26-04');
      await hands.press('Install anew');
      await hands.isAt('Install anew of service 1000002');
      t.match(
        await hands.part('Requested change').text(),
        /It deletes what[\s\S]*Operating system\s+Ubuntu 26\.04 LTS/,
      );
      t.equal(hands.clicks(), 4);
    },
  );

  await t.test(
    'which services took over 2 TB: a view of the services, with what their plans include, most first',
    async (t) => {
      await hands.go('Services');
      await hands.follow('Consumption');
      await hands.write('Transfer over, GB', '2000');
      await page.waitForURL(/transfer=2000/);
      t.match(await hands.row('1000003').text(), /team\.example\.com[\s\S]*6,214\.118 GB\s+6,000 GB/);
      t.equal(await page.getByRole('row').count(), 3, 'the heading and two services');
      t.equal(hands.clicks(), 2);
    },
  );

  await t.test(
    'a creation’s end is unknown: its page says so, and cancelling it cleans up what there may be',
    async (t) => {
      await store.tx(async (tx) => {
        const broker = await tx.brokers.findBySlug('demo');
        const service = broker && (await tx.services.lock(broker.id, 1_000_011));
        if (!service) throw new Error('the demo has it');
        const lost = { type: 'service-creation', status: 'failed', failureReason: 'outcome_unknown' } as const;
        const message = 'It is not known what became of it';
        const request = aRequest(service, { ...lost, failureMessage: message, submittedAt: clock.now() });
        await tx.requests.insert(request);
        await tx.requests.addHistory({
          id: context.newId('evt', clock.now()),
          brokerId: service.brokerId,
          requestId: request.id,
          status: 'failed',
          at: clock.now(),
          actor: 'system',
          note: message,
        });
      });
      await hands.find('new.example.com');
      await hands.follow('cancel the service');
      await hands.press('Cancel service');
      t.match(await hands.part('Requested change').text(), /Cleans up/);
      t.equal(hands.clicks(), 3);
    },
  );

  await t.test('who changed this service: its history has it, its trail the values', async (t) => {
    await hands.find('watched.example.com');
    t.match(await hands.part('History').text(), /Requires operator review no → yes\s+.* · operator@example\.com/i);
    await hands.follow('Audit trail');
    t.match(await hands.row('service.set').text(), /operator@example\.com[\s\S]*requires_operator_review/);
    t.equal(hands.clicks(), 2);
  });

  t.strictSame(desk.complaints, []);
});
