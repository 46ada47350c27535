import {
  allowAddress,
  disableFirewall,
  enableFirewall,
  type listFirewall,
  removeAddress,
} from '../../src/operator/firewall.ts';
import type { checkAddress } from '../../src/operator/firewall-check.ts';
import { Tag } from '../components/badge.tsx';
import { Card } from '../components/card.tsx';
import { Confirm, PostForm, Submit } from '../components/form.tsx';
import { pathOf } from '../components/links.tsx';
import { Timestamp } from '../components/timestamp.tsx';
import type { BrokerButton } from './broker.tsx';

/** The forms of a broker's firewall. */
export function firewallForms(add: BrokerButton) {
  const button: BrokerButton = (path, run) => add(`firewall/${path}`, run, '#firewall');
  button('enable', async (slug, { context }) => {
    await enableFirewall(context, { broker: slug });
    return 'The firewall is on: only listed addresses are allowed.';
  });
  button('disable', async (slug, { context }) => {
    await disableFirewall(context, { broker: slug });
    return 'The firewall is off: keys are accepted from every address.';
  });
  button('allow', async (slug, { form, context }) => {
    await allowAddress(context, { broker: slug, rule: form.get('rule'), note: form.given('note') });
    return `${form.get('rule').trim()} is allowed.`;
  });
  button('remove', async (slug, { form, context }) => {
    await removeAddress(context, { broker: slug, rule: form.get('rule') });
    return `${form.get('rule').trim()} was removed from the list.`;
  });
}

export type FirewallProps = Awaited<ReturnType<typeof listFirewall>> & {
  check:
    | { asked: string; verdict: Awaited<ReturnType<typeof checkAddress>>; refusal?: never }
    | { asked: string; refusal: string; verdict?: never }
    | undefined;
};

export function Firewall({ slug, firewall, admin }: { slug: string; firewall: FirewallProps; admin: boolean }) {
  const path = `${pathOf.broker(slug)}/firewall`;
  const on = firewall.ip_restriction_enabled;
  const { rules } = firewall;
  return (
    <Card title="Firewall" id="firewall" aside={<Switch path={path} on={on} rules={rules.length} admin={admin} />}>
      {rules.length === 0 ? (
        <p class="quiet">{on ? 'No address is on the list: every call is refused.' : 'No address is on the list.'}</p>
      ) : (
        <ul class="rows">
          {rules.map(({ rule, note, created_date }) => (
            <li>
              <span class="mono">{rule}</span>
              <span class="quiet grow" dir="auto">
                {note ?? ''}
              </span>
              <span class="quiet roomy">
                <Timestamp at={created_date} />
              </span>
              {admin ? <Remove path={path} rule={rule} last={on && rules.length === 1} /> : null}
            </li>
          ))}
        </ul>
      )}
      {admin ? (
        <PostForm action={`${path}/allow`} kind="inline">
          <input
            name="rule"
            required
            maxlength={49}
            placeholder="203.0.113.0/28"
            aria-label="Address or CIDR"
            class="mono"
            autocomplete="off"
          />
          <input name="note" maxlength={200} placeholder="Note" aria-label="Note" autocomplete="off" />
          <Submit>Allow</Submit>
        </PostForm>
      ) : null}
      <form class="inline" action={`${pathOf.broker(slug)}#firewall`}>
        <label for="f-address">Is an address allowed?</label>
        <input
          id="f-address"
          name="address"
          value={firewall.check?.asked ?? ''}
          maxlength={49}
          placeholder="203.0.113.9"
          class="mono"
          autocomplete="off"
        />
        <Submit>Check</Submit>
        <Verdict check={firewall.check} />
      </form>
    </Card>
  );
}

function Verdict({ check }: { check: FirewallProps['check'] }) {
  if (!check) return null;
  if (check.verdict === undefined) return <span role="alert">{check.refusal}</span>;
  const { let_in, matched_rule, ip_restriction_enabled } = check.verdict;
  if (!let_in) return <Tag tone="bad">refused: no rule covers it</Tag>;
  if (!ip_restriction_enabled) return <Tag tone="good">allowed: the firewall is off</Tag>;
  return <Tag tone="good">{`allowed by ${matched_rule}`}</Tag>;
}

/** What would leave no address asks first, as the command does. */
function Remove({ path, rule, last }: { path: string; rule: string; last: boolean }) {
  const hidden = <input type="hidden" name="rule" value={rule} />;
  if (last)
    return (
      <Confirm
        id="firewall-last"
        label="Remove…"
        title={`Remove ${rule}?`}
        action={`${path}/remove`}
        verb="Remove"
        fields={hidden}
      >
        It is the last one: every call of this broker is refused within a second.
      </Confirm>
    );
  return (
    <PostForm action={`${path}/remove`}>
      {hidden}
      <button type="submit" class="small" aria-label={`Remove ${rule}`}>
        Remove
      </button>
    </PostForm>
  );
}

function Switch({ path, on, rules, admin }: { path: string; on: boolean; rules: number; admin: boolean }) {
  const state = on ? <Tag tone="good">on</Tag> : <Tag tone="none">off</Tag>;
  if (!admin) return state;
  if (!on && rules > 0)
    return (
      <>
        {state}
        <PostForm action={`${path}/enable`}>
          <Submit>Turn on</Submit>
        </PostForm>
      </>
    );
  const [verb, word, action] = on ? ['Turn off', 'off', 'disable'] : ['Turn on', 'on', 'enable'];
  return (
    <>
      {state}
      <Confirm
        id={`firewall-${word}`}
        label={`${verb}…`}
        title={`Turn the firewall ${word}?`}
        action={`${path}/${action}`}
        verb={verb}
      >
        {on
          ? 'Keys are accepted from every address again. The list is kept.'
          : 'No address is on the list: every call of this broker is refused within a second.'}
      </Confirm>
    </>
  );
}
