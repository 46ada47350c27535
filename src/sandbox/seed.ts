import { NO_CANCELLATION } from '../kinds/cancellation.ts';
import { NO_SUSPENSION } from '../kinds/suspension.ts';
import { newRequest } from '../lifecycle/submit.ts';
import { accessColumn } from '../rules/access.ts';
import { described } from '../rules/descriptions.ts';
import { DAY_MS, MINUTE_MS } from '../rules/durations.ts';
import { anchorOf, nextRenewal } from '../rules/renewals.ts';
import { isEnded } from '../rules/words.ts';
import type { HistoryRow, RequestRow } from '../store/queries/requests.ts';
import type { ServiceRow } from '../store/queries/services.ts';
import type { Tx } from '../store/store.ts';
import { accessOfNumber } from './access.ts';
import { OFFER, PLANS, planId } from './plans.ts';
import { SAMPLES, type SampleRequest, sampleId } from './samples.ts';
import { behaviourOf, CONSUMPTION, FIRST_CREATED, type SandboxService, SERVICES } from './services.ts';

/** How long before the sandbox its services were created. */
const AGE_MS = 30 * DAY_MS;
/** On the first of a month, at 00:00 UTC. */
const FIRST_OF_MONTH = 0;

/** Makes a broker's sandbox at `now`, the real date (epoch milliseconds), in a transaction that holds its lock. */
export async function seed(tx: Tx, brokerId: string, now: number): Promise<void> {
  await tx.sandboxes.insert({ brokerId, createdAt: now, offsetMs: 0, calledAt: now, nextNumber: FIRST_CREATED });
  const plans = plansOf(brokerId, now);
  for (const plan of plans) await tx.plans.insert(plan);
  await tx.plans.putOffers(brokerId, new Map(plans.map(({ id }) => [id, OFFER])));
  await tx.templates.upsert({
    brokerId,
    kind: 'cancellation-warning',
    subject: 'Service {{ service_number }} may be cancelled',
    html: '<p>{{ warning_reason }}</p>',
    text: '{{ warning_reason }}',
    active: true,
    updatedAt: now - AGE_MS,
  });
  await tx.services.insert(
    // Two scenarios have no record.
    SERVICES.filter(({ behaviour }) => !behaviour?.refuses).map((one) => serviceOf(brokerId, one, now)),
  );
  await tx.consumption.insert(consumptionOf(brokerId, now));
  for (const sample of SAMPLES) {
    const request = requestOf(brokerId, sample, now);
    await tx.requests.insert(request);
    for (const line of historyOf(request)) await tx.requests.addHistory(line);
  }
}

const plansOf = (brokerId: string, now: number) =>
  PLANS.map(({ slug, name, rank, billing, vcpu, memoryMb, diskGb, price }) => ({
    id: planId(slug),
    brokerId,
    slug,
    slugFolded: slug,
    displayName: name,
    displayNameFolded: name.toLowerCase(),
    upgradeRank: rank,
    billingType: billing,
    active: true,
    requiresOperatorReview: false,
    description: null,
    vcpu,
    memoryMb,
    diskGb,
    transferGb: null,
    priceAmount: price,
    priceCurrency: 'EUR',
    createdAt: now - AGE_MS,
    updatedAt: now - AGE_MS,
  }));

/** Of the first three services; measured on the day before the sandbox was made. */
const consumptionOf = (brokerId: string, now: number) =>
  CONSUMPTION.map(({ number, diskGb, transferGb }) => ({
    serviceNumber: number,
    brokerId,
    measuredAt: now - DAY_MS,
    periodFrom: monthOf(now - DAY_MS),
    diskGbUsed: diskGb,
    transferGbUsed: transferGb,
  }));

/** The beginning of a date's month, UTC. */
const monthOf = (at: number): number => Date.UTC(new Date(at).getUTCFullYear(), new Date(at).getUTCMonth(), 1);

function serviceOf(brokerId: string, { number, service }: SandboxService, now: number): ServiceRow {
  const createdAt = now - AGE_MS + (number % 1000) * MINUTE_MS;
  const updatedAt = Math.max(createdAt, ...SAMPLES.filter((sample) => sample.number === number).map(changedAt(now)));
  const {
    status = 'active',
    planId: plan = planId('starter'),
    clientEmail = `client-${number}@example.com`,
  } = service ?? {};
  const request = SAMPLES.find((sample) => sample.number === number && sample.type === 'cancellation');
  const cancelling = request && ['accepted', 'completed'].includes(request.status) && requestOf(brokerId, request, now);
  const access = status === 'pending' ? null : accessColumn(accessOfNumber(number));
  // An ended service keeps its last date.
  const renewalAt =
    plan === planId('flex-hourly') ? null : nextRenewal(FIRST_OF_MONTH, isEnded(status) ? createdAt : now);
  return {
    number,
    brokerId,
    status,
    planId: plan,
    ...described({
      label: `Sandbox service ${number}`,
      externalReference: null,
      clientName: 'Sam Sandbox',
      clientEmail,
      status,
      access,
    }),
    requiresOperatorReview: behaviourOf({ number, externalReference: null }).reviewed ?? false,
    createdAt,
    renewalAt,
    renewalAnchor: renewalAt === null ? null : anchorOf(renewalAt),
    cancelledAt: status === 'cancelled' && cancelling ? cancelling.processedAt : null,
    ...NO_CANCELLATION,
    ...NO_SUSPENSION,
    ...(cancelling && {
      cancellationType: cancelling.cancellationType,
      cancellationEffectiveAt: cancelling.effectiveAt,
      cancellationRequestId: cancelling.id,
    }),
    updatedAt,
    ...service,
    suspendedAt: service?.suspendedBy ? updatedAt : null,
    configuration: JSON.stringify({ image: 'debian-13' }),
    access,
    keptConfiguration: null,
    reference: null,
    importId: null,
    uid: null,
  };
}

const changedAt =
  (now: number) =>
  ({ age, lasted = 0 }: SampleRequest): number =>
    now - age + lasted;

function requestOf(brokerId: string, sample: SampleRequest, now: number): RequestRow {
  const { name, number, type, status, age, fields } = sample;
  const submittedAt = now - age;
  const updatedAt = changedAt(now)(sample);
  const request = newRequest(sampleId(name), { brokerId, number }, submittedAt, { type, status, updatedAt, ...fields });
  return {
    ...request,
    processedAt: request.processedAt && updatedAt,
    decidedAt: fields.decidedBy ? updatedAt : null,
    // What was accepted and is final took effect at once.
    effectiveAt: fields.effectiveAt ?? (status === 'completed' || status === 'failed' ? submittedAt : null),
  };
}

/** The states a sample went through: where it began, and where it is. */
function historyOf(request: RequestRow): HistoryRow[] {
  const { id, brokerId, origin, status, submittedAt, processedAt } = request;
  const line = (index: number, lineStatus: HistoryRow['status'], at: number, actor: HistoryRow['actor']) => ({
    id: `evt_${id}_${index}`,
    brokerId,
    requestId: id,
    status: lineStatus,
    at,
    actor,
    note: index === 1 ? (request.decisionReason ?? request.failureReason) : null,
  });
  if (processedAt === null || processedAt === submittedAt) return [line(0, status, submittedAt, origin)];
  const began = origin === 'client' ? 'pending' : 'accepted';
  return [line(0, began, submittedAt, origin), line(1, status, processedAt, request.decidedBy ?? 'system')];
}
