import { retryEach, retryRequest } from '../../src/operator/requests/retry.ts';
import { type RequestDetail, showRequest } from '../../src/operator/requests/views.ts';
import { PER_PAGE } from '../../src/operator/use-case/pages.ts';
import { number } from '../components/card.tsx';
import { BrokerLink, RequestLink, ServiceLink, titleOf } from '../components/links.tsx';
import { reasonInWords } from '../components/reasons.ts';
import { type Column, Table } from '../components/table.tsx';
import { Minute } from '../components/timestamp.tsx';
import { attempt } from '../forms/act.ts';
import type { Routes } from '../http/section.ts';
import {
  addChosen,
  BulkResult,
  type ChosenList,
  ChosenPage,
  chosenIn,
  DecideForm,
  Decisions,
} from '../lists/chosen.tsx';

const LIST: ChosenList = {
  field: 'request_id',
  path: '/requests',
  decidedAt: '/requests/retries',
  waiting: '/requests?status=failed',
  label: 'Requests',
  advice: 'Choose failed requests in the list.',
};

/** Several failed requests that are done once more. */
export const retries: Routes = async (app, { context }) => {
  async function requestsOf(ids: readonly string[]): Promise<RequestDetail[]> {
    const found = await Promise.all(
      ids.slice(0, PER_PAGE).map((requestId) => attempt(() => showRequest(context, { requestId }))),
    );
    return found.flatMap(({ value }) => (value?.can_retry ? value : []));
  }
  addChosen(app, { ...LIST, role: 'support' }, async ({ ids, back }, _request, reply) => {
    const rows = await requestsOf(ids);
    if (rows.length === 0) return reply.flash({ tone: 'bad', text: LIST.advice }).redirect(back, 303);
    return reply.view(
      <ChosenPage of={LIST} title={`Try ${counted(rows.length)} again`}>
        <div class="card flush">
          <Table label="Requests" columns={COLUMNS} rows={rows} empty={null} />
        </div>
        <p>
          Each is submitted once more with its own input, as a request of the operator and by the rules of today.
          Brokers see that it is a retry; clients get no email.
        </p>
        <DecideForm
          of={LIST}
          ids={rows.map(({ request_id }) => request_id)}
          back={back}
          action="/requests/retries/begin"
        >
          <Decisions back={back}>
            <button type="submit" class="main">
              {retryRequest.title}
            </button>
          </Decisions>
        </DecideForm>
      </ChosenPage>,
    );
  });

  app.post('/requests/retries/begin', { config: { role: 'support' } }, async (request, reply) => {
    const { ids, back } = chosenIn(request.form, LIST);
    const { decided, failed } = await retryEach(request.context, ids);
    const done = `${counted(decided.length)} submitted once more.`;
    if (failed.length === 0) return reply.flash({ tone: 'good', text: done }).redirect(back, 303);
    request.shownAt = back;
    return reply.view(
      <BulkResult
        of={LIST}
        heading="Not submitted"
        title={`${counted(failed.length)} not submitted`}
        failed={failed}
        link={(id) => <RequestLink id={id} label={id} />}
        back={back}
        done={decided.length > 0 ? done : null}
      />,
    );
  });
};

const counted = (count: number): string => `${number(count)} ${count === 1 ? 'request' : 'requests'}`;

const COLUMNS: Array<Column<RequestDetail>> = [
  { title: 'Request', cell: (row) => <RequestLink id={row.request_id} label={titleOf(row)} /> },
  { title: 'Reason', rest: true, cell: ({ failure }) => (failure ? reasonInWords(failure.reason) : null) },
  {
    title: 'Failed',
    cell: ({ processed_date: date }) => (date === null ? null : <Minute at={date} />),
  },
  { title: 'Service', cell: ({ service_number }) => <ServiceLink number={service_number} /> },
  { title: 'Client', wide: true, cell: ({ service }) => <bdi>{service.client.name}</bdi> },
  { title: 'Broker', cell: ({ broker }) => <BrokerLink {...broker} /> },
];
