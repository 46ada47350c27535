import { randomBytes } from 'node:crypto';
import type { Clock } from '../src/clock.ts';

export interface TemporaryItemLimits<T> {
  clock: Clock;
  /** How long an item is kept. */
  lifeMs: number;
  /** The most items of one owner, and in total. */
  perOwner: number;
  total: number;
  /** Called when an item is removed. */
  onRemove?: (value: T) => void;
}

interface Item<T> {
  owner: string;
  value: T;
  endsAt: number;
}

/**
 * Values that pages keep in memory between two requests: found by their owner only, under a random id, for a limited
 * time and in limited numbers.
 */
export class TemporaryItems<T> {
  private readonly limits: TemporaryItemLimits<T>;
  /** In the order of insertion. */
  private readonly items = new Map<string, Item<T>>();

  constructor(limits: TemporaryItemLimits<T>) {
    this.limits = limits;
  }

  /** Keeps a value and returns its id. Beyond a limit the oldest is removed, the owner's own first. */
  put(owner: string, value: T): string {
    this.sweep();
    const own = this.idsOf(owner);
    if (own.length >= this.limits.perOwner) this.drop(own[0] as string);
    if (this.items.size >= this.limits.total) this.drop([...this.items.keys()][0] as string);
    const id = randomBytes(16).toString('base64url');
    this.items.set(id, { owner, value, endsAt: this.limits.clock.monotonic() + this.limits.lifeMs });
    return id;
  }

  /**
   * Removes values that may be removed, the oldest first, until one more value fits without removing any other.
   * @returns false where that is not possible
   */
  reserve(owner: string, mayRemove: (value: T) => boolean): boolean {
    this.sweep();
    const { perOwner, total } = this.limits;
    const removeOldest = (ids: string[], tooMany: number): boolean => {
      const removed = ids
        .filter((id) => mayRemove((this.items.get(id) as Item<T>).value))
        .slice(0, Math.max(tooMany, 0));
      for (const id of removed) this.drop(id);
      return removed.length >= tooMany;
    };
    const own = this.idsOf(owner);
    return (
      removeOldest(own, own.length - perOwner + 1) && removeOldest([...this.items.keys()], this.items.size - total + 1)
    );
  }

  get(owner: string, id: string): T | undefined {
    this.sweep();
    const item = this.items.get(id);
    return item?.owner === owner ? item.value : undefined;
  }

  /** The owner's values, newest first. */
  list(owner: string): Array<{ id: string; value: T }> {
    this.sweep();
    return this.idsOf(owner)
      .toReversed()
      .map((id) => ({ id, value: (this.items.get(id) as Item<T>).value }));
  }

  remove(owner: string, id: string): void {
    if (this.get(owner, id) !== undefined) this.drop(id);
  }

  /** Removes expired values. */
  sweep(): void {
    const now = this.limits.clock.monotonic();
    for (const [id, { endsAt }] of this.items) if (endsAt <= now) this.drop(id);
  }

  clear(): void {
    for (const id of [...this.items.keys()]) this.drop(id);
  }

  private idsOf(owner: string): string[] {
    return [...this.items].filter(([, item]) => item.owner === owner).map(([id]) => id);
  }

  private drop(id: string): void {
    const { value } = this.items.get(id) as Item<T>;
    this.items.delete(id);
    this.limits.onRemove?.(value);
  }
}
