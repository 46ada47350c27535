import type { FastifyRequest } from 'fastify';
import { mayAct } from '../../src/operator/people/operators.ts';
import { decideReview, takeBackRequest } from '../../src/operator/requests/decisions.ts';
import { retryRequest } from '../../src/operator/requests/retry.ts';
import { findNextReview, type RequestDetail, showRequest } from '../../src/operator/requests/views.ts';
import { MINUTE_MS } from '../../src/rules/durations.ts';
import { Badge, sentence, toneOf, words } from '../components/badge.tsx';
import { Card, Facts } from '../components/card.tsx';
import { RequestedPlanChange } from '../components/change.tsx';
import { PostForm, RefusalNote, TextArea } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import {
  AuditLink,
  BrokerLink,
  CopiedId,
  PlanLink,
  pathOf,
  RequestLink,
  ServiceLink,
  titleOf,
} from '../components/links.tsx';
import { following } from '../components/live.tsx';
import { chosenOf } from '../components/offer.tsx';
import { reasonInWords } from '../components/reasons.ts';
import { type Event, Timeline } from '../components/timeline.tsx';
import { Day, Time } from '../components/timestamp.tsx';
import { useView } from '../components/view.ts';
import { attempt } from '../forms/act.ts';
import { ActionForm, Again, allows } from '../forms/action-form.tsx';
import { addAction, type Refused, refusedStatus, type Show } from '../forms/actions.tsx';
import { readParam } from '../http/query.ts';
import type { Routes } from '../http/section.ts';
import { filterValues } from '../lists/list-page.tsx';
import { filtersIn, REQUEST_FILTERS, REQUESTS_PATH } from './request-filters.ts';
import { DESTROYS, DiskWarning, effectOf, isSuspended, SUSPENDED } from './review-state.tsx';
import { shownRenewal } from './service-columns.tsx';

/** One request: its change, its history, and the operator's decision. */
export const request: Routes = async (app, { context }) => {
  const path = '/requests/:request_id';
  const show: Show = async (request, reply, refused) => {
    const detail = await showRequest(context, { requestId: readParam(request, 'request_id') });
    const query = filtersIn(request.url);
    const decides = request.auth !== null && mayAct(request.auth.operator.role, 'support');
    const waits = detail.request_status === 'operator_review';
    const rest = (waits ? decides : query !== '') ? await restOf(request, !waits) : undefined;
    return reply.view(<Request detail={detail} query={query} rest={rest} refused={refused} />, refusedStatus(refused));
  };
  /** What still waits in the list that the request was opened from, and where it is asked for outside of it. */
  async function restOf(request: FastifyRequest, elsewhere: boolean): Promise<Remaining> {
    const after = readParam(request, 'request_id');
    const { broker, type, service: service_number } = filterValues(REQUEST_FILTERS, request);
    const list = await attempt(() => findNextReview(context, { broker, type, service_number, after }));
    const next = list.value ?? null;
    return { next, others: elsewhere && next === null && (await findNextReview(context, { after })) !== null };
  }
  app.get(path, { config: { role: 'viewer' } }, (request, reply) => show(request, reply));
  addAction(app, takeBackRequest, { path, show });
  addAction(app, retryRequest, { path, show, to: ({ request_id }) => pathOf.request(request_id) });
  addAction(app, decideReview, {
    path,
    show,
    async answer({ record, text: done }, request, reply) {
      const { next } = await restOf(request, false);
      const text = `${done}${next === null ? '' : ' This is the next review.'}`;
      const to = pathOf.request(next ?? record.request_id) + filtersIn(request.url);
      return reply.flash({ tone: 'good', text }).redirect(to, 303);
    },
  });
};

const DECIDED: Readonly<Record<string, string>> = {
  accept: 'accepted',
  approve: 'approved',
  deny: 'denied',
  withdraw: 'withdrawn',
};

interface Remaining {
  next: string | null;
  /** No more of the list wait, but others do. */
  others: boolean;
}

interface RequestProps {
  detail: RequestDetail;
  /** The filters of the list that it was opened from. */
  query: string;
  rest: Remaining | undefined;
  refused: Refused | undefined;
}

function Request({ detail, query, rest, refused }: RequestProps) {
  const decides = allows(decideReview);
  const waits = detail.request_status === 'operator_review';
  const withdraws = detail.request_status === 'accepted';
  const live = refused === undefined && followed(detail);
  return (
    <Page
      title={headingOf(detail)}
      section="/requests"
      crumbs={[{ label: 'Requests', to: REQUESTS_PATH + query }]}
      here={<CopiedId id={detail.request_id} />}
      state={<Badge state={detail.request_status} />}
      actions={
        withdraws ? (
          <ActionForm useCase={takeBackRequest} at={pathOf.request(detail.request_id)} tone="danger">
            <p>
              It fails with the reason “withdrawn”, which the broker can read, and will not be completed. Possible until
              it is being processed.
            </p>
          </ActionForm>
        ) : detail.can_retry ? (
          <ActionForm useCase={retryRequest} at={pathOf.request(detail.request_id)} tone="main">
            <p>
              It is submitted once more with its own input, as a request of the operator and by the rules of today. The
              broker sees that it is a retry; the client gets no email.
            </p>
          </ActionForm>
        ) : null
      }
    >
      {refused?.form?.useCase === decideReview || !withdraws ? (
        <RefusalNote failure={refused?.failure} />
      ) : (
        <Again refused={refused} />
      )}
      {rest && !waits ? <RemainingInList rest={rest} query={query} /> : null}
      <div class="columns record" id="live" {...live}>
        <div class="stack">
          {detail.failure ? <WhatFailed failure={detail.failure} detail={detail} /> : null}
          {detail.failure && detail.cleans_up && detail.service.service_status === 'pending' ? (
            <p class="notice warn">
              The clean-up failed, so the service stays pending: cancel it again on{' '}
              <ServiceLink number={detail.service_number} />, or set its status once you have removed the machine.
            </p>
          ) : null}
          <Card title={waits ? 'Proposed change' : 'Requested change'}>
            <Change detail={detail} />
          </Card>
          {waits && decides ? (
            <Decide detail={detail} query={query} next={rest?.next ?? null} reason={refused?.form?.texts.reason} />
          ) : null}
          {waits && !decides ? (
            <Card title="Decision">
              <p class="quiet">The role support or admin can accept or deny this.</p>
            </Card>
          ) : null}
          <Service detail={detail} />
        </div>
        <div class="stack">
          {/* Its service's trail has the change that submitted it too. */}
          <Card title="History" aside={<AuditLink subject={`service/${detail.service_number}`} />}>
            <Timeline events={eventsOf(detail)} />
          </Card>
          {detail.other_requests.length > 0 ? (
            <Card title="Other requests of this service">
              <ul class="rows">
                {detail.other_requests.map((other) => (
                  <li>
                    <span class="grow">
                      <RequestLink id={other.request_id} label={titleOf(other)} />
                    </span>
                    <Badge state={other.request_status} />
                    <span class="quiet">
                      <Time at={other.submitted_date} />
                    </span>
                  </li>
                ))}
              </ul>
            </Card>
          ) : null}
        </div>
      </div>
    </Page>
  );
}

/** Most of what is accepted is done within seconds: so long its page is refreshed often. */
const NEW_MS = MINUTE_MS;

/** What lets the page follow a request that others decide or carry out. */
function followed({ request_status: status, is_final, history, effective_date: date }: RequestDetail) {
  const { now } = useView();
  if (is_final || status === 'operator_review') return undefined;
  const isDue = !date || Date.parse(date) <= now;
  const isNew = now - Date.parse(history.at(-1)?.date ?? '') < NEW_MS;
  // The title may have the focus; it says that a request waits for the broker.
  const beside = [status === 'pending' ? '#named' : '#state', '#tools'];
  return following({ id: 'live', beside, isSoon: status === 'accepted' && isDue && isNew });
}

/** For a review of the list that is decided: the next one, or that there is none. */
const RemainingInList = ({ rest: { next, others }, query }: { rest: Remaining; query: string }) => (
  <p class="notice">
    {next === null ? (
      <>
        No more reviews wait in this list. <a href={REQUESTS_PATH + query}>Back to the list</a>
        {others ? (
          <>
            {' · '}
            <a href={`${REQUESTS_PATH}?status=operator_review`}>All reviews</a>
          </>
        ) : null}
      </>
    ) : (
      <a href={pathOf.request(next) + query}>Next review of the list</a>
    )}
  </p>
);

function headingOf(detail: RequestDetail): string {
  const { service_number, request_status } = detail;
  const subject = `${titleOf(detail)} of service ${service_number}`;
  if (request_status === 'operator_review') return `${subject}: review`;
  return request_status === 'pending' ? `${subject}: waits for the broker` : subject;
}

const ORIGINS = { client: 'the client, through the broker', broker: 'the broker', operator: 'an operator' };

/** The operator by name, as far as the audit trail has it. */
function submitterOf({ origin, history: [first] }: RequestDetail): string {
  return origin === 'operator' && first && first.actor !== 'operator' ? first.actor : ORIGINS[origin];
}

function deciderOf({ decision, history }: RequestDetail): string {
  const { decided_by: by, decided_date: date } = decision as NonNullable<RequestDetail['decision']>;
  const step = by === 'operator' ? history.find((each) => each.date === date && each.actor !== by) : undefined;
  return step?.actor ?? `the ${by}`;
}

const REASONS = {
  plan: 'the plan requires it',
  service: 'the service is marked for review',
  disk_shrinks: 'the disk would shrink',
};

function Change({ detail }: { detail: RequestDetail }) {
  const { plans, review, request_status: status } = detail;
  const reasons = review?.reasons.map((reason) => REASONS[reason]) ?? [];
  return (
    <>
      <RequestedPlanChange detail={detail} />
      <DiskWarning detail={detail} />
      {detail.destroys_data && !detail.is_final ? <p class="notice bad">{DESTROYS}</p> : null}
      <Facts
        rows={[
          detail.cancellation_type ? ['Cancellation', words(detail.cancellation_type)] : null,
          // Those of a plan change stand beside its plans.
          ...(plans ? [] : chosenOf(detail)),
          detail.cleans_up ? ['Cleans up', 'what a creation may have left whose end is not known'] : null,
          detail.warning_reason
            ? ['Warning reason', <blockquote class="quote">{detail.warning_reason}</blockquote>]
            : null,
          detail.reason ? ['Reason', <blockquote class="quote">{detail.reason}</blockquote>] : null,
          review ? ['Takes effect', effectOf(review)] : null,
          !review && detail.effective_date && !['denied', 'failed'].includes(status)
            ? ['Takes effect', <Day at={detail.effective_date} />]
            : null,
          ['Submitted', <Day at={detail.submitted_date} />],
          ['Submitted by', submitterOf(detail)],
          detail.retry_of ? ['Does once more', <RequestLink id={detail.retry_of} label="a failed request" />] : null,
          detail.decision
            ? [
                'Decided',
                <>
                  {DECIDED[detail.decision.action] ?? detail.decision.action} by {deciderOf(detail)},{' '}
                  <Time at={detail.decision.decided_date} />
                  {detail.decision.reason ? <blockquote class="quote">{detail.decision.reason}</blockquote> : null}
                </>,
              ]
            : null,
          detail.processed_date && status !== 'denied' ? [sentence(status), <Day at={detail.processed_date} />] : null,
          // What the operator submits is announced in no email.
          status === 'completed' && detail.origin !== 'operator'
            ? ['Email to the client', <Mail detail={detail} />]
            : null,
        ]}
      />
      {reasons.length > 0 ? <p class="quiet">Reviewed because {reasons.join(', and ')}.</p> : null}
    </>
  );
}

/** Where the email is that says that the work is done, and what stands in its way today. */
function Mail({ detail: { template, broker, service } }: { detail: RequestDetail }) {
  return (
    <>
      <a href={`/emails?service=${service.service_number}`}>emails about the service</a>
      {template.is_in_use ? null : (
        <span class="quiet">
          {' · '}
          <a href={pathOf.template(broker.slug, template.kind)}>the template</a> is not in use
        </span>
      )}
      {service.client.email === null ? <span class="quiet"> · the client has no address</span> : null}
    </>
  );
}

interface DecideProps {
  detail: RequestDetail;
  query: string;
  /** The review after this one. */
  next: string | null;
  reason: string | undefined;
}

function Decide({ detail, query, next, reason = '' }: DecideProps) {
  return (
    <Card title="Your decision">
      {isSuspended(detail) ? <p class="notice warn">{SUSPENDED}</p> : null}
      <PostForm action={`${pathOf.request(detail.request_id)}/review${query}`} kind="decision">
        <TextArea
          label="Reason"
          name="reason"
          value={reason}
          maxlength={1000}
          hint="Optional. The broker can read it."
        />
        <div class="decide">
          <button type="submit" name="accept" value="true" class="main" data-key="a" disabled={isSuspended(detail)}>
            Accept {titleOf(detail).toLowerCase()}
          </button>
          <button type="submit" name="accept" value="false" class="danger" data-key="d">
            Deny
          </button>
          {next === null ? null : (
            <a class="button" href={pathOf.request(next) + query} data-key="s">
              Skip
            </a>
          )}
          <span class="quiet scripted wide-only keys">
            {isSuspended(detail) ? null : (
              <>
                <kbd>a</kbd> accept,{' '}
              </>
            )}
            <kbd>d</kbd> deny, <kbd>s</kbd> skip, then <kbd>Enter</kbd>
          </span>
        </div>
      </PostForm>
    </Card>
  );
}

function WhatFailed({
  failure,
  detail: { attempts, processed_date: ended, retried_as },
}: {
  failure: NonNullable<RequestDetail['failure']>;
  detail: RequestDetail;
}) {
  return (
    <Card title="Failure">
      <blockquote class="quote" dir="auto">
        {failure.message}
      </blockquote>
      <Facts
        rows={[
          [
            'Reason',
            <>
              {reasonInWords(failure.reason)} <span class="mono quiet">{failure.reason}</span>
            </>,
          ],
          ended ? ['When', <Day at={ended} />] : null,
          ['The service', failure.service_usable ? 'is usable' : 'is not usable'],
          attempts > 0 ? ['Attempts', String(attempts)] : null,
          [
            'Once more',
            retried_as ? (
              <>
                tried again, as <RequestLink id={retried_as} label="another request" />
              </>
            ) : failure.retryable ? (
              'was not tried again; the provisioner says that it may succeed'
            ) : (
              'was not tried again'
            ),
          ],
        ]}
      />
    </Card>
  );
}

function Service({ detail: { service, broker } }: { detail: RequestDetail }) {
  return (
    <Card title="Service">
      <Facts
        two
        rows={[
          [
            'Service',
            <>
              <ServiceLink number={service.service_number} /> {service.label} <Badge state={service.service_status} />
            </>,
          ],
          ['Broker', <BrokerLink {...broker} />],
          ['Client', <a href={pathOf.client(service.service_number)}>{service.client.name}</a>],
          [
            'Email',
            service.client.email ? <span class="mono">{service.client.email}</span> : <span class="quiet">none</span>,
          ],
          ['Plan', <PlanLink id={service.plan.id} name={service.plan.display_name} />],
          ['Since', <Day at={service.created_date} />],
          shownRenewal(service) ? ['Renews', <Day at={shownRenewal(service)} />] : null,
          service.cancellation ? ['Cancelled for', <Day at={service.cancellation.effective_date} />] : null,
          service.requires_operator_review ? ['Review', 'every plan change is reviewed'] : null,
        ]}
      />
    </Card>
  );
}

/** The history, newest first, with the time that the work took. */
function eventsOf({ history, begun_date: begun }: RequestDetail): Event[] {
  const events: Event[] = history.map(({ request_status, date, actor, note }) => {
    return { title: words(request_status), date, detail: actor, note, tone: toneOf(request_status) };
  });
  if (begun !== null) {
    const at = events.findIndex(({ date }) => date > begun);
    const end = events[at];
    if (end) end.detail = `${end.detail}, ${seconds(begun, end.date)} after the work began`;
    events.splice(end ? at : events.length, 0, {
      title: 'work begun',
      date: begun,
      detail: 'first sent to the provisioner',
      note: null,
    });
  }
  return events.reverse();
}

const seconds = (from: string, until: string): string =>
  `${((Date.parse(until) - Date.parse(from)) / 1000).toFixed(2)} s`;
