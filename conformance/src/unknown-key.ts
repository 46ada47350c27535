import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A well-formed sandbox key that no broker has: its checksum is the CRC-32 in base 62 (contract, section 5). */
export function unknownKey(): string {
  const random = [...randomBytes(40)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
  const unchecked = `sk_test_${random.slice(0, 8)}_${random.slice(8)}`;
  let checksum = '';
  for (let rest = crc32(unchecked); checksum.length < 6; rest = Math.floor(rest / ALPHABET.length)) {
    checksum = ALPHABET.charAt(rest % ALPHABET.length) + checksum;
  }
  return unchecked + checksum;
}
