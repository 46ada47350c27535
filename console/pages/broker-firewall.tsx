import {
  allowAddress,
  checkAddress,
  disableFirewall,
  enableFirewall,
  type FirewallRecord,
  removeAddress,
} from '../../src/operator/access/firewall.ts';
import { Tag } from '../components/badge.tsx';
import { Card } from '../components/card.tsx';
import { Submit, TextField } from '../components/form.tsx';
import { pathOf } from '../components/links.tsx';
import { Time } from '../components/timestamp.tsx';
import { attempt } from '../forms/act.ts';
import { ActionForm } from '../forms/action-form.tsx';
import type { ConsoleOptions } from '../http/section.ts';

/** Whether an address would be let in, and by which rule; undefined where none is asked about. */
export async function checkOf(context: ConsoleOptions['context'], broker: string, address: string | undefined) {
  if (address === undefined) return undefined;
  return { address, ...(await attempt(() => checkAddress.run(context, { broker, address }))) };
}

export type FirewallProps = FirewallRecord & { check: Awaited<ReturnType<typeof checkOf>> };

export function Firewall({ slug, firewall }: { slug: string; firewall: FirewallProps }) {
  const { rules, check, ip_restriction_enabled: on } = firewall;
  const at = `${pathOf.broker(slug)}/firewall`;
  return (
    <Card
      title="Firewall"
      id="firewall"
      aside={
        <>
          <Tag tone={on ? 'good' : 'none'}>{on ? 'on' : 'off'}</Tag>
          {on ? (
            <ActionForm useCase={disableFirewall} at={at} record={firewall} tone="danger">
              <p>The keys of {slug} are then accepted from every address. The rules stay.</p>
            </ActionForm>
          ) : (
            // To turn protection on is no danger; with an empty list a question comes first.
            <ActionForm useCase={enableFirewall} at={at} record={firewall} tone="small">
              {rules.length === 0 ? null : (
                <p>Calls from every address that no rule covers are refused within a second.</p>
              )}
            </ActionForm>
          )}
        </>
      }
    >
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
              <span class="quiet wide-only">
                <Time at={created_date} />
              </span>
              <ActionForm useCase={removeAddress} at={at} record={firewall} fixed={{ rule }} tone="small" />
            </li>
          ))}
        </ul>
      )}
      <ActionForm useCase={allowAddress} at={at} label="Allow an address" tone="small" />
      <form class="inline" action={`${pathOf.broker(slug)}#firewall`}>
        <TextField label="Is an address allowed?" name="address" value={check?.address} maxlength={49} />
        <Submit>Check</Submit>
        <Verdict check={check} />
      </form>
    </Card>
  );
}

function Verdict({ check }: Pick<FirewallProps, 'check'>) {
  if (!check) return null;
  if (check.failure) return <span role="alert">{check.failure.message}</span>;
  const { let_in, matched_rule, ip_restriction_enabled } = check.value;
  if (!let_in) return <Tag tone="bad">refused: no rule covers it</Tag>;
  if (ip_restriction_enabled) return <Tag tone="good">{`allowed by ${matched_rule}`}</Tag>;
  return (
    <>
      <Tag tone="good">allowed: the firewall is off</Tag>{' '}
      <span class="quiet">
        {matched_rule === null ? 'Turned on, it refuses this address.' : `Turned on, it allows it by ${matched_rule}.`}
      </span>
    </>
  );
}
