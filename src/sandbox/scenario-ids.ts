import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Scenario, STORIES, typeOfLetter } from './request-ids.ts';

/** Twelve bytes of HMAC-SHA256: beyond guessing, and short enough to read aloud. */
const MAC_BYTES = 12;

const SHAPE = /^req_test_(([a-z])-(\d{1,16})-([a-z_-]{0,32})-([0-9a-z]{1,11})-([0-9A-Z]{1,26}))-([0-9a-f]{24})$/;

/**
 * Ids of simulated requests (contract, section 8). They tell their scenario and time under a MAC, bound to the
 * broker, so that nothing needs to be stored and no other id is believed.
 */
export function createScenarioIds(secret: string) {
  const mac = (brokerId: string, text: string): Buffer =>
    createHmac('sha256', secret).update(`${brokerId} ${text}`).digest().subarray(0, MAC_BYTES);

  return {
    encode(brokerId: string, { type, serviceNumber, variant, submittedAt, nonce }: Scenario): string {
      const text = [STORIES[type].letter, serviceNumber, variant, submittedAt.toString(36), nonce].join('-');
      return `req_test_${text}-${mac(brokerId, text).toString('hex')}`;
    },
    /** The scenario of an id that we gave to this broker; undefined for any other text. */
    decode(brokerId: string, id: string): Scenario | undefined {
      const [, text = '', letter = '', number, variant = '', time = '', nonce = '', signature = ''] =
        SHAPE.exec(id) ?? [];
      const type = typeOfLetter(letter);
      if (!type || !timingSafeEqual(mac(brokerId, text), Buffer.from(signature, 'hex'))) return undefined;
      return {
        type,
        serviceNumber: Number(number),
        variant,
        submittedAt: Number.parseInt(time, 36),
        nonce,
      };
    },
  };
}
