import type { RequestDetail } from '../../src/operator/request-views.ts';

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

/** Two plans side by side; `from` is null for a new service. */
export function PlanChange({ from, to }: { from: Plan | null; to: Plan }) {
  return (
    <table class="change">
      <thead>
        <tr>
          <th scope="col">
            <span class="unseen">What</span>
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
      </tbody>
    </table>
  );
}

function linesOf(from: Plan | null, to: Plan): Line[] {
  const lines: Line[] = [line('Plan', from?.display_name, to.display_name)];
  const sizes = [
    ['vCPU', 'vcpu', ''],
    ['Memory', 'memory_mb', 'MB'],
    ['Disk', 'disk_gb', 'GB'],
    ['Transfer', 'transfer_gb', 'GB'],
  ] as const;
  for (const [name, field, unit] of sizes) {
    const [before, after] = [from?.specifications?.[field] ?? null, to.specifications?.[field] ?? null];
    if (before === null && after === null) continue;
    const by = before === null || after === null || before === after ? undefined : difference(after - before, unit);
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

export const priceOf = (price: Plan['price']): string => (price ? `${price.amount} ${price.currency}` : '–');

const difference = (by: number, unit: string) => ({
  text: `${by > 0 ? '+' : '−'}${sizeOf(Math.abs(by), unit)}`,
  more: by > 0,
});

/** 16384 MB is shown as 16 GB, 1500 MB as it is. */
export function sizeOf(value: number | null, unit: string): string {
  if (value === null) return '–';
  if (unit === 'MB' && value >= 1024 && value % 1024 === 0) return `${value / 1024} GB`;
  return unit === '' ? String(value) : `${value} ${unit}`;
}

/** The exact difference of two decimal amounts, without floating point. */
export function amountsApart(before: string, after: string): Line['by'] {
  const decimals = Math.max(decimalsOf(before), decimalsOf(after));
  const by = scaled(after, decimals) - scaled(before, decimals);
  if (by === 0n) return undefined;
  const digits = String(by < 0n ? -by : by).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const rest = decimals === 0 ? '' : `.${digits.slice(-decimals)}`;
  return { text: `${by > 0n ? '+' : '−'}${whole}${rest}`, more: by > 0n };
}

const decimalsOf = (amount: string): number => amount.split('.')[1]?.length ?? 0;

const scaled = (amount: string, decimals: number): bigint =>
  BigInt(amount.replace('.', '') + '0'.repeat(decimals - decimalsOf(amount)));
