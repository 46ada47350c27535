/* The Service Broker behind OSB_URL, called as the Open Service Broker API 2.17 has it. */
import { addressOf, exchange, setting } from './provisioning.mjs';

const url = addressOf('OSB_URL');
const login = `${setting('OSB_USERNAME')}:${setting('OSB_PASSWORD')}`;
const headers = {
  Authorization: `Basic ${Buffer.from(login).toString('base64')}`,
  'Content-Type': 'application/json',
  'X-Broker-API-Version': '2.17',
};
/** As the specification has it. */
const CALL_MS = 60_000;

/** Any answer but a success in the form that the specification has for it. */
export class Refusal extends Error {
  constructor(call, { status, statusText, headers, body }) {
    const { error, description } = isObject(body) ? body : {};
    super(`${call}: ${status} ${statusText} ${error ?? ''} ${description ?? ''}`);
    Object.assign(this, { status, error, description, seconds: secondsOf(headers) });
  }
}

/** Something else is done to the instance now, or too much is asked of the broker. */
export const isBusy = ({ status, error }) => status === 429 || (status === 422 && error === 'ConcurrencyError');

/** Whether the broker said that it failed: of an answer that was lost, or is a gateway's, nothing is known. */
export const isVerdict = ({ status }) =>
  (status > 200 && status < 300) || (status >= 500 && ![502, 503, 504].includes(status));

const isObject = (body) => typeof body === 'object' && body !== null;

/** @returns what Retry-After says, undefined where it says nothing */
function secondsOf(headers) {
  const value = headers.get('retry-after');
  return /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}

/** @returns whether the work goes on (`isGoingOn`), and the answer's body */
export async function ask(method, path, { query = {}, body, signal = AbortSignal.timeout(CALL_MS) } = {}) {
  const answer = await exchange(`${url}/v2${path}?${new URLSearchParams(query)}`, {
    ...{ method, headers, signal },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (![200, 201, 202].includes(answer.status) || !isObject(answer.body))
    throw new Refusal(`${method} ${path}`, answer);
  return { isGoingOn: answer.status === 202, seconds: secondsOf(answer.headers), body: answer.body };
}
