import type { Check, Probe, Section } from '../kit.ts';
import { at, listAt } from '../shapes.ts';
import { type Answer, type Ask, get, post } from '../wire.ts';

/** Looks after which a story that does not end is given up: three times what the longest one needs. */
const MAX_LOOKS = 60;

interface Step {
  request_status: string;
  /** Seconds after the step before; the end of a term comes when it comes. */
  after?: number;
}

interface Story {
  title: string;
  ask: Ask;
  steps: readonly Step[];
  /** A part of the final record. */
  end: object;
}

const upgrade = (service: number) => post(`/v1/services/${service}/upgrade`, { new_plan: 'enterprise' });
const done = { request_status: 'completed', failure: null };
const acceptedThen = (request_status: string): Step[] => [
  { request_status: 'accepted' },
  { request_status, after: 10 },
];

const STORIES: readonly Story[] = [
  {
    title: 'an upgrade of 900001 completes after 10 s',
    ask: upgrade(900001),
    steps: acceptedThen('completed'),
    end: done,
  },
  {
    title: 'an upgrade of 900002 is accepted by the operator after 20 s and completes',
    ask: upgrade(900002),
    steps: [
      { request_status: 'operator_review' },
      { request_status: 'accepted', after: 20 },
      { request_status: 'completed', after: 10 },
    ],
    end: { ...done, decision: { action: 'accept', decided_by: 'operator' } },
  },
  {
    title: 'an upgrade of 900003 is denied by the operator after 20 s',
    ask: upgrade(900003),
    steps: [{ request_status: 'operator_review' }, { request_status: 'denied', after: 20 }],
    end: { request_status: 'denied', decision: { action: 'deny', decided_by: 'operator' } },
  },
  {
    title: 'an upgrade of 900011 fails, and says whether the service works',
    ask: upgrade(900011),
    steps: acceptedThen('failed'),
    end: { request_status: 'failed', failure: { service_usable: true } },
  },
  {
    title: 'an immediate cancellation is carried out',
    ask: post('/v1/services/900001/cancel', { cancellation_type: 'immediate' }),
    steps: acceptedThen('completed'),
    end: done,
  },
  {
    title: 'a service is created',
    ask: post('/v1/services', { plan: 'starter', client: { name: 'Ada Example', email: 'ada@example.com' } }),
    steps: acceptedThen('completed'),
    end: { ...done, type: 'service-creation' },
  },
  {
    title: 'a downgrade of 900013 is lived through to the end of the term',
    ask: post('/v1/services/900013/downgrade', { new_plan: 'starter' }),
    steps: [{ request_status: 'accepted' }, { request_status: 'completed' }],
    end: done,
  },
  {
    title: 'a cancellation of 900013 is lived through to the end of the term',
    ask: post('/v1/services/900013/cancel'),
    steps: [{ request_status: 'accepted' }, { request_status: 'completed' }],
    end: { ...done, cancellation_type: 'end_of_term' },
  },
];

/** Looks as often as the answers say, until the request is final. */
async function follow(probe: Probe, requestId: unknown): Promise<Answer | undefined> {
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    const answer = await probe.succeeds(get(`/v1/requests/${requestId}`), { status: 200, shape: 'requestWithHistory' });
    if (at(answer.json, 'data.is_final') === true) return answer;
    const next = at(answer.json, 'data.next_check_seconds');
    const usable = Number.isInteger(next) && Number(next) >= 1 && Number(next) <= 3600;
    probe.holds(usable, `next_check_seconds is ${next} on what is not final`, answer);
    // A story takes half a minute at most: a longer wait would be one for nothing.
    await probe.kit.wait(1000 * Math.min(usable ? Number(next) : 1, 10));
  }
  probe.fault(`${requestId} did not become final`);
  return undefined;
}

const told = ({ title, ask, steps, end }: Story): Check => ({
  title,
  slow: 'story',
  async run(probe) {
    const submitted = await probe.ask(ask);
    probe.equal(at(submitted.json, 'data.request_status'), steps[0]?.request_status, 'the status at first', submitted);
    const final = await follow(probe, at(submitted.json, 'data.request_id'));
    if (!final) return;
    probe.isSuccess(final, { status: 200, matches: { data: end } });
    const history = listAt(final.json, 'data.history') as Array<{ request_status: string; date: string }>;
    probe.equal(
      history.map(({ request_status }) => request_status),
      steps.map(({ request_status }) => request_status),
      'the history',
      final,
    );
    for (const [index, { after }] of steps.entries()) {
      const seconds = (Date.parse(history[index]?.date ?? '') - Date.parse(history[index - 1]?.date ?? '')) / 1000;
      if (after !== undefined) probe.equal(seconds, after, `the seconds until step ${index + 1}`, final);
    }
  },
});

/** Contract, section 8: how simulated requests go on. */
export const stories: Section = { name: 'stories', checks: STORIES.map(told) };
