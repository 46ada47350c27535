import type { PlanPage } from '../../src/operator/plans/plans.ts';
import type { Specification } from '../../src/operator/plans/record.ts';
import { keysOf } from '../../src/rules/keys.ts';
import { number } from './card.tsx';

type Plan = Pick<PlanPage['items'][number], 'price' | 'billing_type'>;

/** The name and unit of each size. */
const WORDS: Readonly<Record<Specification, readonly [name: string, unit: string]>> = {
  vcpu: ['vCPU', ''],
  memory_mb: ['Memory', 'MB'],
  disk_gb: ['Disk', 'GB'],
  transfer_gb: ['Transfer', 'GB'],
};

/** The sizes of a plan: name, field and unit. */
export const SIZES = keysOf(WORDS).map((field) => [WORDS[field][0], field, WORDS[field][1]] as const);

type Specifications = Readonly<Record<Specification, number | null>>;

/** 16384 MB is shown as 16 GB, 1500 MB as 1,500 MB, 412.5 GB as it is. */
export function sizeOf(value: number | string | null, unit: string): string {
  if (value === null) return '–';
  const size = Number(value);
  if (unit === 'MB' && size >= 1024 && size % 1024 === 0) return sizeOf(size / 1024, 'GB');
  const text = typeof value === 'string' ? grouped(value) : number(value);
  return unit === '' ? text : `${text} ${unit}`;
}

/** The sizes of a plan that are set, with their names. */
export const sizesOf = (specifications: Specifications | null): Array<[name: string, size: string]> =>
  SIZES.filter(([, field]) => (specifications?.[field] ?? null) !== null).map(([name, field, unit]) => [
    name,
    sizeOf(specifications?.[field] ?? null, unit),
  ]);

/** 1,250.00 EUR */
export const priceOf = (price: Plan['price']): string => (price ? `${grouped(price.amount)} ${price.currency}` : '–');

/** 14.00 EUR a month */
export const priceOver = ({ price, billing_type }: Plan): string =>
  price ? `${priceOf(price)} ${billing_type === 'hourly' ? 'an hour' : 'a month'}` : `none, billed ${billing_type}`;

/** A decimal text with commas between its thousands; it stays as exact as it was. */
const grouped = (amount: string): string => amount.replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',');

interface Difference {
  text: string;
  more: boolean;
}

/** The difference of two sizes. */
export const sizesApart = (before: number, after: number, unit: string): Difference => ({
  text: `${after > before ? '+' : '−'}${sizeOf(Math.abs(after - before), unit)}`,
  more: after > before,
});

/** The exact difference of two decimal amounts, without floating point; undefined where they are equal. */
export function amountsApart(before: string, after: string): Difference | undefined {
  const decimals = Math.max(decimalsOf(before), decimalsOf(after));
  const by = scaled(after, decimals) - scaled(before, decimals);
  if (by === 0n) return undefined;
  const digits = String(by < 0n ? -by : by).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const rest = decimals === 0 ? '' : `.${digits.slice(-decimals)}`;
  return { text: `${by > 0n ? '+' : '−'}${grouped(`${whole}${rest}`)}`, more: by > 0n };
}

const decimalsOf = (amount: string): number => amount.split('.')[1]?.length ?? 0;

const scaled = (amount: string, decimals: number): bigint =>
  BigInt(amount.replace('.', '') + '0'.repeat(decimals - decimalsOf(amount)));
