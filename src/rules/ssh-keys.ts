/**
 * A public key of SSH as a line of an authorized_keys file has it, without options: type, key and comment (contract,
 * section 14.2). The key is read to its end, so that one that was cut off is found before a machine is built with it.
 */

/** Reads the fields of a key one after the other. */
class Fields {
  readonly #bytes: Buffer;
  #place = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** The next field: a length of four bytes, then so many. Returns undefined if the key ends before it does. */
  next(): Buffer | undefined {
    const from = this.#place + 4;
    if (from > this.#bytes.length) return undefined;
    const to = from + this.#bytes.readUInt32BE(this.#place);
    if (to > this.#bytes.length) return undefined;
    this.#place = to;
    return this.#bytes.subarray(from, to);
  }

  get areRead(): boolean {
    return this.#place === this.#bytes.length;
  }
}

/** Whether a field is what its place in a key asks for. */
type Check = (field: Buffer) => boolean;

const isLong =
  (length: number): Check =>
  (field) =>
    field.length === length;

const isText =
  (text: string): Check =>
  (field) =>
    field.toString('latin1') === text;

/** A point of a curve whose coordinates have so many bytes, uncompressed: OpenSSH reads no other form. */
const isPoint =
  (coordinate: number): Check =>
  (field) =>
    field.length === 1 + 2 * coordinate && field[0] === 4;

const isApplication: Check = (field) => field.length > 0;

/** The bits of a positive number; 0 for any other field. */
function bitsOf(field: Buffer): number {
  if (((field[0] ?? 0) & 0x80) !== 0) return 0;
  const first = field.findIndex((byte) => byte !== 0);
  return first < 0 ? 0 : 8 * (field.length - first) - (Math.clz32(field[first] as number) - 24);
}

const MIN_RSA_BITS = 1024;
const MAX_RSA_BITS = 16384;

/** An exponent is odd, and small: 65537 nearly always. */
const isExponent: Check = (field) => ((field.at(-1) ?? 0) & 1) === 1 && bitsOf(field) > 1 && bitsOf(field) <= 64;
const isModulus: Check = (field) => bitsOf(field) >= MIN_RSA_BITS && bitsOf(field) <= MAX_RSA_BITS;

const ecdsa = (curve: string, coordinate: number): Check[] => [isText(curve), isPoint(coordinate)];

/** The fields behind the name of each type. */
const TYPES = new Map<string, Check[]>([
  ['ssh-ed25519', [isLong(32)]],
  ['ssh-rsa', [isExponent, isModulus]],
  ['ecdsa-sha2-nistp256', ecdsa('nistp256', 32)],
  ['ecdsa-sha2-nistp384', ecdsa('nistp384', 48)],
  ['ecdsa-sha2-nistp521', ecdsa('nistp521', 66)],
  ['sk-ssh-ed25519@openssh.com', [isLong(32), isApplication]],
  ['sk-ecdsa-sha2-nistp256@openssh.com', [...ecdsa('nistp256', 32), isApplication]],
]);

const CERTIFICATE = /-cert-v\d+@openssh\.com$/;

/** What is wrong with a text that is no key; the words follow the name of the field. */
export interface SshKeyFault {
  readonly fault: string;
}

/**
 * Reads a public key. What stands around it is taken off, and blanks and tabs between its parts become one blank.
 * @returns the key as one line, or what is wrong with it
 */
export function readSshPublicKey(given: string): { readonly key: string } | SshKeyFault {
  const text = given.trim();
  if (/^-{4,5} ?BEGIN/.test(text)) {
    return text.includes('PRIVATE KEY')
      ? { fault: 'is a private key, which must not be given away: make a new pair, and give its public key' }
      : { fault: 'must be in the form of OpenSSH, such as "ssh-ed25519 AAAA... name"' };
  }
  if (/[\r\n]/.test(text)) return { fault: 'must be one key on one line' };
  const [type = '', blob = '', ...comment] = text.split(/[ \t]+/);
  // A comment may hold anything but what ends or hides a line.
  if (/\p{Cc}/u.test(text.replaceAll('\t', ' '))) return { fault: 'must not have control characters' };
  const fault = faultOfType(type, blob, comment) ?? faultOfBlob(type, blob);
  return fault === undefined ? { key: [type, blob, ...comment].join(' ') } : { fault };
}

function faultOfType(type: string, blob: string, others: readonly string[]): string | undefined {
  if (TYPES.has(type)) return undefined;
  if (CERTIFICATE.test(type)) return 'is a certificate: give the public key that it was made of';
  if (type === 'ssh-dss') return 'is a DSA key, which no server takes any more';
  if ([blob, ...others].some((part) => TYPES.has(part))) return 'must not have options in front of its type';
  return `must begin with its type, one of ${[...TYPES.keys()].join(', ')}`;
}

function faultOfBlob(type: string, blob: string): string | undefined {
  const bytes = Buffer.from(blob, 'base64');
  if (blob === '' || bytes.toString('base64') !== blob) return CUT_OFF;
  const fields = new Fields(bytes);
  const name = fields.next()?.toString('latin1');
  if (name === undefined) return CUT_OFF;
  if (name !== type) return `is said to be ${type} and is another kind of key`;
  for (const check of TYPES.get(type) ?? []) {
    const field = fields.next();
    if (field === undefined) return CUT_OFF;
    if (check === isModulus && bitsOf(field) > 0 && !isModulus(field)) {
      return `is an RSA key of ${bitsOf(field)} bits: it must have ${MIN_RSA_BITS} to ${MAX_RSA_BITS}`;
    }
    if (!check(field)) return DAMAGED;
  }
  return fields.areRead ? undefined : DAMAGED;
}

const CUT_OFF = 'is cut off or damaged: copy the whole line';
const DAMAGED = 'is damaged: copy the whole line anew';
