import { createHmac, timingSafeEqual } from 'node:crypto';

/** All that is needed to tell a simulated request's story at any later moment, on any instance. */
export interface Scenario {
  type: 'plan-upgrade' | 'plan-downgrade' | 'cancellation' | 'service-creation' | 'cancellation-warning';
  serviceNumber: number;
  /** The plan's slug, or the kind of cancellation; empty where the type has neither. */
  variant: string;
  submittedAt: number;
  /** Keeps two equal requests of one millisecond apart. */
  nonce: string;
}

const LETTERS = {
  'plan-upgrade': 'u',
  'plan-downgrade': 'd',
  cancellation: 'c',
  'service-creation': 'n',
  'cancellation-warning': 'w',
} as const;

const PREFIX = 'req_test_';

/** Twelve bytes of HMAC-SHA256: beyond guessing, and short enough to read aloud. */
const MAC_BYTES = 12;

/**
 * Ids of simulated requests (contract, section 8). They tell their scenario and time under a MAC, bound to the
 * broker, so that nothing needs to be stored and no other id is believed.
 */
export function createScenarioIds(secret: string) {
  const mac = (brokerId: string, text: string): Buffer =>
    createHmac('sha256', secret).update(`${brokerId} ${text}`).digest().subarray(0, MAC_BYTES);

  return {
    encode(brokerId: string, { type, serviceNumber, variant, submittedAt, nonce }: Scenario): string {
      const text = [LETTERS[type], serviceNumber, variant.replaceAll('-', '_'), submittedAt.toString(36), nonce].join(
        '-',
      );
      return `${PREFIX}${text}-${mac(brokerId, text).toString('hex')}`;
    },
    /** The scenario of an id that we gave to this broker; undefined for any other text. */
    decode(brokerId: string, id: string): Scenario | undefined {
      const [, text, signature] = /^req_test_([udcnw]-\d+-[a-z_]*-[0-9a-z]+-[0-9A-Z]+)-([0-9a-f]{24})$/.exec(id) ?? [];
      if (text === undefined || signature === undefined) return undefined;
      if (!timingSafeEqual(mac(brokerId, text), Buffer.from(signature, 'hex'))) return undefined;
      const [letter, number, variant, time, nonce] = text.split('-') as [string, string, string, string, string];
      const type = (Object.keys(LETTERS) as Scenario['type'][]).find((name) => LETTERS[name] === letter);
      return (
        type && {
          type,
          serviceNumber: Number(number),
          variant,
          submittedAt: Number.parseInt(time, 36),
          nonce,
        }
      );
    },
  };
}

export type ScenarioIds = ReturnType<typeof createScenarioIds>;
