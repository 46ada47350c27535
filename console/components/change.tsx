import type { RequestDetail } from '../../src/operator/requests/views.ts';
import { amountsApart, priceOf, SIZES, sizeOf, sizesApart } from './amounts.ts';
import { type ChosenChange, chosenChanges } from './offer.tsx';

type Plan = NonNullable<NonNullable<RequestDetail['plans']>['to']>;

interface Line {
  name: string;
  now: string;
  then: string;
  /** The difference, and whether the new value is larger. */
  by?: { text: string; more: boolean } | undefined;
  same: boolean;
  /** Neither more nor less of it is better. */
  isPrice?: boolean;
}

interface PlanChangeProps {
  /** Null for a new service. */
  from: Plan | null;
  to: Plan;
  /** What is chosen for the service on its new plan. */
  chosen?: readonly ChosenChange[];
}

/** The plans of a request side by side, with what was chosen; what the service had is known until the change is final. */
export const RequestedPlanChange = ({ detail }: { detail: RequestDetail }) =>
  detail.plans && (
    <PlanChange
      {...detail.plans}
      chosen={chosenChanges(detail, detail.is_final ? undefined : detail.service.configuration)}
    />
  );

/** Two plans side by side. */
export function PlanChange({ from, to, chosen = [] }: PlanChangeProps) {
  return (
    <table class="change">
      <thead>
        <tr>
          <th scope="col">
            <span class="visually-hidden">What</span>
          </th>
          {from ? <th scope="col">Now</th> : null}
          <th scope="col">Then</th>
        </tr>
      </thead>
      <tbody>
        {linesOf(from, to).map(({ name, now, then, by, same, isPrice }) => (
          <tr>
            <th scope="row">{name}</th>
            {from ? <td class="quiet">{now}</td> : null}
            <td dir="auto">
              {same ? <span class="quiet">{then}</span> : <strong>{then}</strong>}{' '}
              {by ? <span class={isPrice ? 'by' : by.more ? 'by gain' : 'by loss'}>{by.text}</span> : null}
            </td>
          </tr>
        ))}
        {chosen.map(({ name, before, after }) => (
          <tr class="chosen">
            <th scope="row" dir="auto">
              {name}
            </th>
            {from ? (
              <td class="quiet" dir="auto">
                {before}
              </td>
            ) : null}
            <td dir="auto">{before === after ? <span class="quiet">{after}</span> : <strong>{after}</strong>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function linesOf(from: Plan | null, to: Plan): Line[] {
  const lines: Line[] = [line('Plan', from?.display_name, to.display_name)];
  for (const [name, field, unit] of SIZES) {
    const [before, after] = [from?.specifications?.[field] ?? null, to.specifications?.[field] ?? null];
    if (before === null && after === null) continue;
    const by = before === null || after === null || before === after ? undefined : sizesApart(before, after, unit);
    lines.push({ ...line(name, sizeOf(before, unit), sizeOf(after, unit)), by });
  }
  const [before, after] = [from?.price ?? null, to.price];
  if (before || after) {
    const per = to.billing_type === 'hourly' ? 'Price an hour' : 'Price a month';
    const by =
      before && after && before.currency === after.currency ? amountsApart(before.amount, after.amount) : undefined;
    lines.push({ ...line(per, priceOf(before), priceOf(after)), by, isPrice: true });
  }
  return lines;
}

const line = (name: string, now: string | undefined, then: string): Line => ({
  name,
  now: now ?? '–',
  then,
  same: now === then,
});
