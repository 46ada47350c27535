/** Numbers of a block: services are numbered one after the other. */
const BLOCK = 1_024;
const BITS = 32;

/** Service numbers, a bit for each: a million of those that were issued in a row take some 200 KB. */
export class NumberSet {
  readonly #blocks = new Map<number, Uint32Array>();

  add(number: number): void {
    const block = Math.floor(number / BLOCK);
    const bits = this.#blocks.get(block) ?? new Uint32Array(BLOCK / BITS);
    this.#blocks.set(block, bits);
    const at = number % BLOCK;
    const word = Math.floor(at / BITS);
    bits[word] = (bits[word] ?? 0) | (1 << (at % BITS));
  }

  has(number: number): boolean {
    const at = number % BLOCK;
    const bits = this.#blocks.get(Math.floor(number / BLOCK));
    return bits !== undefined && ((bits[Math.floor(at / BITS)] ?? 0) & (1 << (at % BITS))) !== 0;
  }

  get isEmpty(): boolean {
    return this.#blocks.size === 0;
  }
}
