import { createHmac, timingSafeEqual } from 'node:crypto';

const TYPES = {
  u: 'plan-upgrade',
  d: 'plan-downgrade',
  c: 'cancellation',
  n: 'service-creation',
  w: 'cancellation-warning',
} as const;

type Letter = keyof typeof TYPES;

/** All that is needed to tell a simulated request's story at any later moment, on any instance. */
export interface Scenario {
  type: (typeof TYPES)[Letter];
  serviceNumber: number;
  /** The plan's slug, or the kind of cancellation; empty where the type has neither. */
  variant: string;
  submittedAt: number;
  /** Keeps two equal requests of one millisecond apart. */
  nonce: string;
}

/** Twelve bytes of HMAC-SHA256: beyond guessing, and short enough to read aloud. */
const MAC_BYTES = 12;

const SHAPE = /^req_test_(([udcnw])-(\d{1,16})-([a-z_-]{0,32})-([0-9a-z]{1,11})-([0-9A-Z]{1,26}))-([0-9a-f]{24})$/;
type Parts = [
  whole: string,
  text: string,
  letter: Letter,
  number: string,
  variant: string,
  time: string,
  nonce: string,
  signature: string,
];

/**
 * Ids of simulated requests (contract, section 8). They tell their scenario and time under a MAC, bound to the
 * broker, so that nothing needs to be stored and no other id is believed.
 */
export function createScenarioIds(secret: string) {
  const mac = (brokerId: string, text: string): Buffer =>
    createHmac('sha256', secret).update(`${brokerId} ${text}`).digest().subarray(0, MAC_BYTES);

  return {
    encode(brokerId: string, { type, serviceNumber, variant, submittedAt, nonce }: Scenario): string {
      const letter = (Object.keys(TYPES) as Letter[]).find((key) => TYPES[key] === type);
      const text = [letter, serviceNumber, variant, submittedAt.toString(36), nonce].join('-');
      return `req_test_${text}-${mac(brokerId, text).toString('hex')}`;
    },
    /** The scenario of an id that we gave to this broker; undefined for any other text. */
    decode(brokerId: string, id: string): Scenario | undefined {
      const parts = SHAPE.exec(id) as unknown as Parts | null;
      if (!parts) return undefined;
      const [, text, letter, number, variant, time, nonce, signature] = parts;
      if (!timingSafeEqual(mac(brokerId, text), Buffer.from(signature, 'hex'))) return undefined;
      return {
        type: TYPES[letter],
        serviceNumber: Number(number),
        variant,
        submittedAt: Number.parseInt(time, 36),
        nonce,
      };
    },
  };
}
