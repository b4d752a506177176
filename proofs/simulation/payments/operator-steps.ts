import { acceptCase } from '#cases/accept-case.ts';
import { assignCase } from '#cases/assign-case.ts';
import { closeCase } from '#cases/close-case.ts';
import { correctedReferencesOf } from '#cases/model/operator-case.ts';
import { refundCase } from '#cases/refund-case.ts';
import { replaceCase } from '#cases/replace-case.ts';
import { splitCase } from '#cases/split-case.ts';
import type { MoneyPart } from '#e-transfer/money-parts.ts';
import type { RefundOutcome } from '#e-transfer/network-refunds.ts';
import { createRefundReports } from '#refunds/network/apply-refund-reports.ts';
import { handOverRefunds } from '#refunds/network/hand-over.ts';
import type { CaseRow } from '../memory/case-rows.ts';
import type { Random } from '../run/random.ts';
import { attempt } from '../run/world.ts';
import type { PaymentWorld } from './payment-world.ts';

const WAYS = [
  'ACCEPT',
  'ACCEPT',
  'ASSIGN',
  'ASSIGN',
  'REFUND',
  'REPLACE',
  'SPLIT',
  'SPLIT',
  'CLOSE',
] as const;

/** Two or three parts of the money; sometimes a cent is wrong, which the split refuses. */
function drawParts(world: PaymentWorld, random: Random, { details }: CaseRow): MoneyPart[] {
  const arrived = Number(details.arrivedCents ?? 2);
  const ids = random.shuffle(world.requests.rows.all().map(({ id }) => id)).slice(0, 3);
  const first = 1 + random.below(Math.max(1, arrived - 1));
  const rest = arrived - first + (random.chance(0.1) ? 1 : 0);
  const cents = ids.length < 3 || rest < 2 ? [first, rest] : [first, 1, rest - 1];
  return cents.flatMap((amountCents, index) => {
    const paymentRequestId = ids[index];
    return paymentRequestId === undefined ? [] : [{ paymentRequestId, amountCents }];
  });
}

/** An operator settles an open case, in a way that the case may or may not allow. */
export async function settle(world: PaymentWorld, random: Random): Promise<string> {
  const open = world.cases.rows.all();
  if (open.length === 0) return 'no case';
  const found = random.pick(open);
  const { id, kind, paymentRequestId } = found;
  const target = random.pick(world.requests.rows.all()).id;
  // Any other act on corrected money would leave the booking that never was.
  const isCorrected = correctedReferencesOf(found).length > 0;
  const way = isCorrected ? 'REPLACE' : random.pick(WAYS);
  const deps = world.settleDeps;
  const named = `${kind} of ${paymentRequestId ? world.nameOf(paymentRequestId) : 'nothing'}`;
  switch (way) {
    case 'ACCEPT':
      if (paymentRequestId !== null) world.accepted.add(paymentRequestId);
      return `accept ${named}: ${outcomeOf(await attempt(acceptCase(deps, id, null)))}`;
    case 'ASSIGN': {
      const assignment = { paymentRequestId: target, note: null };
      const result = await attempt(assignCase(deps, id, assignment));
      return `assign ${named} to ${world.nameOf(target)}: ${outcomeOf(result)}`;
    }
    case 'REFUND': {
      const result = await attempt(refundCase(deps, id, { movement: null, note: null }));
      return `give back ${named}: ${outcomeOf(result)}`;
    }
    case 'REPLACE': {
      const result = await attempt(replaceCase(deps, id, { movement: null, note: null }));
      return `replace by ${named}: ${outcomeOf(result)}`;
    }
    case 'SPLIT': {
      const parts = drawParts(world, random, found);
      const result = await attempt(splitCase(deps, id, { parts, note: null }));
      const told = parts.map(
        (each) => `${each.amountCents} to ${world.nameOf(each.paymentRequestId)}`,
      );
      return `split ${named}, ${told.join(' and ')}: ${outcomeOf(result)}`;
    }
    default:
      // Only a case whose money is elsewhere by then is closed: the others would hide a fault.
      if (kind !== 'MONEY_RETURNED' && kind !== 'REFUNDED_AND_RETURNED') return 'no case to close';
      return `close ${named}: ${outcomeOf(await attempt(closeCase(deps, id, 'seen')))}`;
  }
}

function outcomeOf(result: string | { readonly outcome: string }): string {
  return typeof result === 'string' ? result : result.outcome;
}

/** The service's own loop hands refunds over and asks for their state. */
export async function handOver(world: PaymentWorld, random: Random): Promise<string> {
  const { truth } = world;
  truth.startAnswer = random.pick(['PROCESSING', 'PROCESSING', 'QUEUED', 'FAILED']);
  truth.failNextCall = random.chance(0.25) ? random.pick(['BEFORE', 'AFTER']) : null;
  const lost = truth.failNextCall === null ? '' : `, no answer ${truth.failNextCall}`;
  const told = truth.startAnswer + lost;
  const { signal } = new AbortController();
  const result = await attempt(handOverRefunds(world.refundDeps, signal));
  truth.failNextCall = null;
  return `${told}: ${result}`;
}

const OUTCOMES: readonly RefundOutcome['state'][] = [
  'COMPLETED',
  'COMPLETED',
  'FAILED',
  'RETURNED',
  'PROCESSING',
];

/** The network moves a refund, and reports it at once, twice, or not at all. */
export async function moveRefund(world: PaymentWorld, random: Random): Promise<string> {
  const { truth, clock } = world;
  const ids = [...truth.refunds.keys()];
  if (ids.length === 0) return 'no refund at the network';
  const id = random.pick(ids);
  const to = random.pick(OUTCOMES);
  const outcome = truth.moveRefund(id, to, clock.now());
  if (!outcome) return `${to} is not possible`;
  const times = random.below(3);
  const report = createRefundReports(world.refundDeps);
  const reports = Array.from({ length: times }, () => ({ refundId: id, outcome }));
  const batches = random.chance(0.5) ? [reports] : reports.map((each) => [each]);
  // All end before the next check, also where the first fails.
  const results = await Promise.all(batches.map((batch) => attempt(report(batch))));
  return `${to}, reported ${times} times: ${results.map((each) => each ?? 'TAKEN').join(', ')}`;
}
