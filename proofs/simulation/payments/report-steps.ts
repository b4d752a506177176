import type { NetworkOutcome, NetworkReport } from '#e-transfer/e-transfer-network.ts';
import type { MoneyMovement } from '#e-transfer/network-money.ts';
import type { PaymentRequestRow } from '../memory/payment-request-rows.ts';
import { must } from '../run/broken-invariant.ts';
import type { Random } from '../run/random.ts';
import { attempt, isUnanswered } from '../run/world.ts';
import { movementsOf, type SentReport } from './network-truth.ts';
import { CURRENCY, type PaymentWorld } from './payment-world.ts';

/** The network reports one to four outcomes, lets some wait, and repeats earlier ones. */
export async function reportOutcomes(world: PaymentWorld, random: Random): Promise<string> {
  const { truth } = world;
  const fresh = Array.from({ length: random.pick([1, 1, 2, 3]) }, () => newReport(world, random));
  const sent = fresh.flatMap((report) => (report ? [truth.send(report)] : []));
  const repeated = truth.reports.filter(
    // A report that the network has taken back is not repeated.
    ({ report, verdict }) => !(report.isRevocable && verdict === 'NOT_TAKEN'),
  );
  const again = repeated.length > 0 && random.chance(0.4) ? [random.pick(repeated)] : [];
  const delivered = random.shuffle([...sent.filter(() => random.chance(0.8)), ...again]);
  const [only, ...others] = delivered;
  if (only && others.length === 0) await deliverAlone(world, only);
  else await Promise.all(delivered.map((each) => deliver(world, each)));
  return delivered.map((each) => formatReport(world, each)).join('; ') || 'nothing';
}

/** Takes a report to the service; without an answer the network repeats it later. */
export async function deliver(world: PaymentWorld, sent: SentReport): Promise<void> {
  const verdict = await attempt(world.report(sent.report));
  must(verdict !== 'REFUSED', () => 'a report was refused');
  if (!isUnanswered(verdict)) world.truth.answer(sent, verdict);
}

/** Cases of money that has arrived: a refusal waits for the operator (contract §5). */
const ARRIVED: ReadonlySet<string> = new Set([
  'AMOUNT_MISMATCH',
  'CURRENCY_MISMATCH',
  'REFERENCE_REUSED',
]);

/** Money that the network can take back is taken only while the payer may still pay. */
async function deliverAlone(world: PaymentWorld, sent: SentReport): Promise<void> {
  const { report } = sent;
  const before = paymentRequestAt(world, report.paymentRequestId);
  const isKnown = movementsOf(report).every(
    ({ networkReference: name }) =>
      world.ledger.rows.where((row) => row.network_reference === name).length > 0,
  );
  const hasMoneyCase = world.cases
    .open()
    .some(({ kind, paymentRequestId: id }) => id === report.paymentRequestId && ARRIVED.has(kind));
  await deliver(world, sent);
  const status = world.requests.rows.get(report.paymentRequestId)?.status;
  const hasFailed = before === 'PROCESSING' && status === 'FAILED';
  must(!(hasFailed && hasMoneyCase), () => 'a payment request failed although money has arrived');
  const isMoney = report.isRevocable && report.outcome.state === 'SUCCEEDED' && !isKnown;
  if (!isMoney || sent.verdict !== 'TAKEN') return;
  const isSuspended = before === 'CREATED' && world.requests.suspended.size > 0;
  const isOnTime = (before === 'CREATED' && !isSuspended) || before === 'PROCESSING';
  must(isOnTime, () => `revocable money was taken for a request that was ${before}`);
}

function paymentRequestAt(world: PaymentWorld, id: string): string {
  const row = world.requests.rows.get(id);
  const isOver = row?.status === 'CREATED' && row.expires_at <= world.clock.now();
  return isOver ? 'EXPIRED' : (row?.status ?? '');
}

function formatReport(world: PaymentWorld, { report, verdict }: SentReport): string {
  const { outcome, isRevocable, paymentRequestId } = report;
  const money = movementsOf(report).map(
    ({ networkReference, amountCents }) => `${networkReference} of ${amountCents}`,
  );
  const back =
    outcome.state === 'RETURNED'
      ? ` ${outcome.movement.networkReference} of ${outcome.movement.amountCents}, ` +
        `which undoes ${outcome.returnedReference}`
      : '';
  const which = isRevocable ? 'revocable ' : '';
  const answer = verdict ?? 'no answer';
  const what = `${which}${outcome.state} ${money.join(' + ')}${back}`;
  return `${what} for ${world.nameOf(paymentRequestId)}: ${answer}`;
}

function newReport(world: PaymentWorld, random: Random): NetworkReport | null {
  const requests = world.requests.rows.all();
  if (requests.length === 0) return null;
  const request = random.pick(requests);
  const isRevocable = random.chance(0.3);
  const outcome = random.chance(0.12)
    ? returned(world, random)
    : newOutcome(world, random, request);
  if (!outcome) return null;
  const mayBeRevocable = outcome.state !== 'RETURNED' && outcome.state !== 'PART_RECEIVED';
  return { paymentRequestId: request.id, outcome, isRevocable: isRevocable && mayBeRevocable };
}

function newOutcome(
  world: PaymentWorld,
  random: Random,
  { amount_cents: asked }: PaymentRequestRow,
): NetworkOutcome {
  const draw = random.next();
  if (draw < 0.2) return { state: 'ACCEPTED' };
  if (draw < 0.32) return { state: 'REFUSED', reason: 'PAYER_DECLINED' };
  const currency = random.chance(0.05) ? 'USD' : CURRENCY;
  if (draw < 0.5) {
    const part = Math.max(1, Math.floor(asked * random.pick([0.25, 0.5, 0.5, 1])));
    return { state: 'PART_RECEIVED', currency, movement: movement(world, random, part) };
  }
  const amountCents = random.chance(0.75) ? asked : random.pick([asked - 1, asked + 50, asked * 2]);
  return succeeded(world, random, amountCents, currency);
}

/** SUCCEEDED names one movement, or all that make up the sum: earlier ones and a new one. */
function succeeded(
  world: PaymentWorld,
  random: Random,
  amountCents: number,
  currency: string,
): NetworkOutcome {
  const earlier = random.chance(0.3) ? earlierParts(world, random) : [];
  const before = earlier.reduce((sum, each) => sum + each.amountCents, 0);
  const rest = Math.max(1, amountCents - before);
  const last = movement(world, random, rest);
  const isListed = earlier.length > 0 || random.chance(0.3);
  const names = new Set([...earlier, last].map(({ networkReference }) => networkReference));
  return {
    state: 'SUCCEEDED',
    amountCents: before + rest,
    currency,
    institution: 'A Bank',
    networkReference: last.networkReference,
    completedAt: world.clock.now(),
    ...(isListed && names.size === earlier.length + 1 && { movements: [...earlier, last] }),
  };
}

function earlierParts({ truth }: PaymentWorld, random: Random): MoneyMovement[] {
  const parts = truth.reports.filter(({ report }) => report.outcome.state === 'PART_RECEIVED');
  if (parts.length === 0) return [];
  return [...movementsOf(random.pick(parts).report)];
}

/** Mostly money of its own; sometimes a reference that was reported before, also of another sum. */
function movement(world: PaymentWorld, random: Random, amountCents: number): MoneyMovement {
  const known = [...world.truth.money.keys()];
  const isReused = known.length > 0 && random.chance(0.1);
  const networkReference = isReused ? random.pick(known) : world.truth.nextReference();
  return { networkReference, amountCents, bankReference: null, bookingDate: null };
}

/** Money goes back: all of a movement or some of it, a known movement or none. */
function returned(world: PaymentWorld, random: Random): NetworkOutcome {
  const known = [...world.truth.money];
  const [name, money] = known.length > 0 ? random.pick(known) : [null, null];
  const [cents = 100] = money?.amounts ?? [];
  const isWhole = random.chance(0.7);
  const networkReference = world.truth.nextReference();
  const amountCents = isWhole ? cents : Math.max(1, Math.floor(cents / 2));
  return {
    state: 'RETURNED',
    currency: CURRENCY,
    movement: { networkReference, amountCents, bankReference: null, bookingDate: null },
    returnedReference: random.chance(0.8) ? name : null,
    reason: random.chance(0.5) ? 'AC04' : null,
  };
}
