import { randomBytes } from 'node:crypto';
import type { Clock } from '../src/clock.ts';

export interface TemporaryItemLimits<T> {
  clock: Clock;
  /** How long a thing waits for its person to come back. */
  lifeMs: number;
  /** So many of one person, and of all people together. */
  each: number;
  all: number;
  /** What is to be done when a thing goes. */
  onGone?: (value: T) => void;
}

interface Held<T> {
  owner: string;
  value: T;
  endsAt: number;
}

/**
 * What pages keep in this process between two clicks: found by its own person alone, under a name that nobody guesses,
 * for a while, and so many at most.
 */
export class TemporaryItems<T> {
  private readonly limits: TemporaryItemLimits<T>;
  /** In the order in which they came. */
  private readonly things = new Map<string, Held<T>>();

  constructor(limits: TemporaryItemLimits<T>) {
    this.limits = limits;
  }

  /** Keeps a thing and returns its name. What is too many pushes out the oldest: first the person's own. */
  put(owner: string, value: T): string {
    this.sweep();
    const own = this.idsOf(owner);
    if (own.length >= this.limits.each) this.drop(own[0] as string);
    if (this.things.size >= this.limits.all) this.drop([...this.things.keys()][0] as string);
    const id = randomBytes(16).toString('base64url');
    this.things.set(id, { owner, value, endsAt: this.limits.clock.monotonic() + this.limits.lifeMs });
    return id;
  }

  /**
   * Lets go of what may go, the oldest first, of the person's own and then of all, until one more thing would push out
   * none. False where that cannot be.
   */
  reserve(owner: string, mayGo: (value: T) => boolean): boolean {
    this.sweep();
    const { each, all } = this.limits;
    const letGo = (ids: string[], tooMany: number): boolean => {
      const going = ids.filter((id) => mayGo((this.things.get(id) as Held<T>).value)).slice(0, Math.max(tooMany, 0));
      for (const id of going) this.drop(id);
      return going.length >= tooMany;
    };
    const own = this.idsOf(owner);
    return letGo(own, own.length - each + 1) && letGo([...this.things.keys()], this.things.size - all + 1);
  }

  get(owner: string, id: string): T | undefined {
    this.sweep();
    const held = this.things.get(id);
    return held?.owner === owner ? held.value : undefined;
  }

  /** The person's own, newest first. */
  list(owner: string): Array<{ id: string; value: T }> {
    this.sweep();
    return this.idsOf(owner)
      .toReversed()
      .map((id) => ({ id, value: (this.things.get(id) as Held<T>).value }));
  }

  remove(owner: string, id: string): void {
    if (this.get(owner, id) !== undefined) this.drop(id);
  }

  /** Drops what nobody came back for. */
  sweep(): void {
    const now = this.limits.clock.monotonic();
    for (const [id, { endsAt }] of this.things) if (endsAt <= now) this.drop(id);
  }

  clear(): void {
    for (const id of [...this.things.keys()]) this.drop(id);
  }

  private idsOf(owner: string): string[] {
    return [...this.things].filter(([, held]) => held.owner === owner).map(([id]) => id);
  }

  private drop(id: string): void {
    const { value } = this.things.get(id) as Held<T>;
    this.things.delete(id);
    this.limits.onGone?.(value);
  }
}
