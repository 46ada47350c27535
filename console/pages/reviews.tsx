import type { Child } from 'hono/jsx';
import { decideReviews, showReviews } from '../../src/operator/requests/reviews.ts';
import { type RequestDetail, showRequest } from '../../src/operator/requests/views.ts';
import { sentence, words } from '../components/badge.tsx';
import { Card, Empty, Facts, number } from '../components/card.tsx';
import { RequestedPlanChange } from '../components/change.tsx';
import { TextArea } from '../components/form.tsx';
import { BrokerLink, RequestLink, ServiceLink, titleOf } from '../components/links.tsx';
import { chosenOf } from '../components/offer.tsx';
import { attempt } from '../forms/act.ts';
import { Problem } from '../http/problem.ts';
import { readQuery } from '../http/query.ts';
import type { Routes } from '../http/section.ts';
import {
  addChosen,
  BulkResult,
  type ChosenList,
  ChosenPage,
  chosenAt,
  chosenIn,
  DecideForm,
  Decisions,
} from '../lists/chosen.tsx';
import { filtersIn, REQUESTS_PATH } from './request-filters.ts';
import { DESTROYS, DiskWarning, effectOf, isSuspended, SUSPENDED } from './review-state.tsx';

const LIST: ChosenList = {
  field: 'request_id',
  path: REQUESTS_PATH,
  decidedAt: '/requests/reviews',
  waiting: `${REQUESTS_PATH}?status=operator_review`,
  label: 'Requests',
  advice: 'Choose reviews in the list, then accept or deny them.',
};

/** Several reviews at once: what they change is listed, then they are accepted or denied. */
export const reviews: Routes = async (app, { context }) => {
  addChosen(app, { ...LIST, role: 'support' }, async ({ ids: requestIds, back }, request, reply) => {
    const details = await showReviews(context, { requestIds });
    const left = new Set(requestIds).size - details.length;
    return reply.view(
      <ConfirmReviews details={details} left={left} back={back} next={readQuery(request).get('next')} />,
    );
  });

  /** Decides one of them, and leads to the others. */
  app.post('/requests/reviews/decide-one', { config: { role: 'support' } }, async (request, reply) => {
    const { form } = request;
    const { ids, back } = chosenIn(form, LIST);
    const [decision, id = ''] = form.get('one').split(' ');
    const accept = decision === 'accept';
    if (!(accept || decision === 'deny') || !ids.includes(id)) throw NO_DECISION;
    const reason = form.given(`reason ${id}`);
    const { failed } = await decideReviews(request.context, { requestIds: [id], accept, reason });
    const detail = (await attempt(() => showRequest(context, { requestId: id }))).value;
    const what = detail ? `${titleOf(detail)} of service ${detail.service_number}` : id;
    const text = `${what}: ${failed[0]?.message ?? (accept ? 'accepted.' : 'denied.')}`;
    const others = ids.filter((other) => other !== id);
    const next = ids[ids.indexOf(id) + 1] ?? others[0];
    const to = next === undefined ? back : `${chosenAt(LIST, { ids: others, back })}&next=${encodeURIComponent(next)}`;
    return reply.flash({ tone: failed.length > 0 ? 'bad' : 'good', text }).redirect(to, 303);
  });

  app.post('/requests/reviews/decide', { config: { role: 'support' } }, async (request, reply) => {
    const { form } = request;
    const { ids: requestIds, back } = chosenIn(form, LIST);
    const accept = form.get('decision') === 'accept';
    if (!accept && form.get('decision') !== 'deny') throw NO_DECISION;
    const { decided, failed } = await decideReviews(request.context, {
      requestIds,
      accept,
      reason: form.given('reason'),
    });
    const done = `${counted(decided)} ${accept ? 'accepted' : 'denied'}.`;
    if (failed.length === 0) return reply.flash({ tone: 'good', text: done }).redirect(back, 303);
    const title = `${counted(failed)} not decided`;
    const about = new Map<string, RequestDetail | undefined>();
    for (const { id } of failed) about.set(id, (await attempt(() => showRequest(context, { requestId: id }))).value);
    const link = (id: string) => {
      const detail = about.get(id);
      return <RequestLink id={id} label={detail ? `${titleOf(detail)} of service ${detail.service_number}` : id} />;
    };
    request.shownAt = back;
    return reply.view(
      <BulkResult
        of={LIST}
        heading="Not decided"
        title={title}
        failed={failed}
        link={link}
        back={back}
        done={decided.length > 0 ? done : null}
      />,
    );
  });
};

const NO_DECISION = new Problem(422, 'No decision', 'Accept or deny the reviews.');

const counted = ({ length }: readonly unknown[]): string => `${number(length)} ${length === 1 ? 'review' : 'reviews'}`;

interface ConfirmProps {
  details: RequestDetail[];
  /** Chosen requests that wait no more. */
  left: number;
  back: string;
  /** The review that the focus goes to. */
  next?: string | undefined;
}

function ConfirmReviews({ details, left, back, next }: ConfirmProps) {
  const title = `Decide ${counted(details)}`;
  return (
    <ChosenPage of={LIST} title={title}>
      {left > 0 ? <p class="notice bad">{number(left)} of those chosen no longer wait for a review.</p> : null}
      {details.length === 0 ? (
        <Empty>
          <a href={back}>Back to the reviews</a>
        </Empty>
      ) : (
        <DecideForm
          of={LIST}
          ids={details.map(({ request_id }) => request_id)}
          back={back}
          action="/requests/reviews/decide"
          rest
        >
          {/* Enter in a reason decides nothing. */}
          <button type="submit" disabled hidden />
          <p>
            Decide each by itself, or <a href="#decision">all of them together</a>.
          </p>
          <div class="cards">
            {details.map((detail) => (
              <Change detail={detail} query={filtersIn(back)} focus={detail.request_id === next} />
            ))}
          </div>
          <Card title={`Your decision on all ${number(details.length)}`} id="decision">
            <TextArea
              label="Reason"
              name="reason"
              value=""
              maxlength={1000}
              hint="Optional. The brokers can read it."
            />
            <Decisions back={back}>
              <button type="submit" name="decision" value="accept" class="main">
                Accept {counted(details)}
              </button>
              <button type="submit" name="decision" value="deny" class="danger">
                Deny {counted(details)}
              </button>
            </Decisions>
          </Card>
        </DecideForm>
      )}
    </ChosenPage>
  );
}

interface ChangeProps {
  detail: RequestDetail;
  query: string;
  focus: boolean;
}

function Change({ detail, query, focus }: ChangeProps) {
  const { request_id, service, broker, plans, review, reason, cancellation_type } = detail;
  const facts = [
    ...(plans ? [] : chosenOf(detail)),
    ...(review ? [['Takes effect', effectOf(review)] as [Child, Child]] : []),
  ];
  return (
    <Card>
      <h2 tabindex={-1} autofocus={focus}>
        <RequestLink id={request_id} label={titleOf(detail)} query={query} /> of{' '}
        <ServiceLink number={service.service_number} />
      </h2>
      <p class="quiet">
        <bdi>{service.client.name}</bdi>, <BrokerLink {...broker} />
      </p>
      {isSuspended(detail) ? <p class="notice warn">{SUSPENDED}</p> : null}
      <RequestedPlanChange detail={detail} />
      <DiskWarning detail={detail} />
      {detail.destroys_data ? <p class="notice bad">{DESTROYS}</p> : null}
      {facts.length > 0 ? <Facts rows={facts} /> : null}
      {cancellation_type ? <p>{words(cancellation_type)}</p> : null}
      {reason ? <blockquote class="quote">{reason}</blockquote> : null}
      <div class="decide">
        <input
          type="text"
          name={`reason ${request_id}`}
          maxlength={1000}
          autocomplete="off"
          placeholder="Reason for the broker"
          aria-label={`Reason for ${titleOf(detail)} of service ${service.service_number}`}
        />
        <DecideOne decision="accept" detail={detail} />
        <DecideOne decision="deny" detail={detail} />
      </div>
    </Card>
  );
}

function DecideOne({ decision, detail }: { decision: 'accept' | 'deny'; detail: RequestDetail }) {
  const { request_id, service } = detail;
  const verb = sentence(decision);
  return (
    <button
      type="submit"
      formaction="/requests/reviews/decide-one"
      name="one"
      value={`${decision} ${request_id}`}
      class={decision === 'deny' ? 'danger' : undefined}
      disabled={decision === 'accept' && isSuspended(detail)}
      aria-label={`${verb} ${titleOf(detail).toLowerCase()} of service ${service.service_number} alone`}
    >
      {verb}
    </button>
  );
}
