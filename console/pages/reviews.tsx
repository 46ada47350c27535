import type { RequestDetail } from '../../src/operator/request-views.ts';
import { decideReviews, showReviews } from '../../src/operator/reviews.ts';
import type { Undecided } from '../../src/operator/several.ts';
import { words } from '../components/badge.tsx';
import { Card, Empty, number } from '../components/card.tsx';
import { PlanChange } from '../components/change.tsx';
import { PostForm, TextArea } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { BrokerLink, RequestLink, requestTitle, ServiceLink } from '../components/links.tsx';
import type { Form } from '../plugins/forms.ts';
import { Problem } from '../problem.ts';
import type { Routes } from '../section.ts';
import { filtersIn } from './request-filters.ts';

const TO_REVIEW = '/requests?status=operator_review';

/** Several reviews at once: what they change is listed, then they are accepted or denied. */
export const reviews: Routes = async (app, { context }) => {
  app.post('/requests/reviews', { config: { role: 'support' } }, async (request, reply) => {
    const requestIds = request.form.all('request_id');
    if (requestIds.length === 0) throw NONE_CHOSEN;
    const details = await showReviews(context, { requestIds });
    const left = new Set(requestIds).size - details.length;
    return reply.view(<ConfirmReviews details={details} left={left} back={backOf(request.form)} />);
  });

  app.post('/requests/reviews/decide', { config: { role: 'support' } }, async (request, reply) => {
    const { form } = request;
    const requestIds = form.all('request_id');
    const accept = form.get('decision') === 'accept';
    if (requestIds.length === 0 || (!accept && form.get('decision') !== 'deny')) throw NONE_CHOSEN;
    const { decided, failed } = await decideReviews(request.context, {
      requestIds,
      accept,
      reason: form.given('reason'),
    });
    const back = backOf(form);
    if (failed.length > 0) return reply.view(<Result decided={decided} failed={failed} accept={accept} back={back} />);
    const text = `${counted(decided)} ${accept ? 'accepted' : 'denied'}.`;
    return reply.flash({ tone: 'good', text }).redirect(back, 303);
  });
};

/** The list that the reviews were chosen in, with its filters. */
function backOf(form: Form): string {
  const back = form.get('back');
  return back.startsWith('/requests?') ? back : TO_REVIEW;
}

const NONE_CHOSEN = new Problem(422, 'Nothing chosen', 'Choose reviews in the list, then accept or deny them.', {
  to: TO_REVIEW,
  label: 'Reviews',
});

const counted = ({ length }: readonly unknown[]): string => `${number(length)} ${length === 1 ? 'review' : 'reviews'}`;

const CRUMBS = [{ label: 'Requests', to: TO_REVIEW }];

interface ConfirmProps {
  details: RequestDetail[];
  /** Chosen requests that wait no more. */
  left: number;
  back: string;
}

function ConfirmReviews({ details, left, back }: ConfirmProps) {
  const title = `Decide ${counted(details)}`;
  return (
    <Page title={title} section="/requests" crumbs={CRUMBS}>
      {left > 0 ? <p class="told bad">{number(left)} of those chosen no longer wait for a review.</p> : null}
      {details.length === 0 ? (
        <Empty>
          <a href={back}>Back to the reviews</a>
        </Empty>
      ) : (
        <PostForm action="/requests/reviews/decide">
          <input type="hidden" name="back" value={back} />
          <div class="thirds">
            {details.map((detail) => (
              <Change detail={detail} query={filtersIn(back)} />
            ))}
          </div>
          <Card title={`Your decision on all ${number(details.length)}`}>
            <TextArea
              label="Reason"
              name="reason"
              value=""
              maxlength={1000}
              hint="Optional. The brokers can read it."
            />
            <div class="decide">
              <button type="submit" name="decision" value="accept" class="main">
                Accept {counted(details)}
              </button>
              <button type="submit" name="decision" value="deny" class="danger">
                Deny {counted(details)}
              </button>
              <a href={back}>Cancel</a>
            </div>
          </Card>
        </PostForm>
      )}
    </Page>
  );
}

function Change({ detail, query }: { detail: RequestDetail; query: string }) {
  const { request_id, type, service, broker, plans, reason, cancellation_type } = detail;
  return (
    <Card>
      <input type="hidden" name="request_id" value={request_id} />
      <h2>
        <RequestLink id={request_id} label={requestTitle(type)} query={query} /> of{' '}
        <ServiceLink number={service.service_number} />
      </h2>
      <p class="quiet">
        <bdi>{service.client.name}</bdi>, <BrokerLink {...broker} />
      </p>
      {plans ? <PlanChange from={plans.from} to={plans.to} /> : null}
      {cancellation_type ? <p>{words(cancellation_type)}</p> : null}
      {reason ? <blockquote class="said">{reason}</blockquote> : null}
    </Card>
  );
}

interface ResultProps {
  decided: string[];
  failed: Undecided[];
  accept: boolean;
  back: string;
}

function Result({ decided, failed, accept, back }: ResultProps) {
  return (
    <Page title={`${counted(failed)} not decided`} section="/requests" crumbs={CRUMBS}>
      <p class="told good">
        {counted(decided)} {accept ? 'accepted' : 'denied'}.
      </p>
      <Card title="Not decided">
        <ul class="rows">
          {failed.map(({ id, message }) => (
            <li>
              <RequestLink id={id} label={id} /> <span dir="auto">{message}</span>
            </li>
          ))}
        </ul>
        <p class="more">
          <a href={back}>Back to the reviews</a>
        </p>
      </Card>
    </Page>
  );
}
