import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { NetworkOutcome } from '#e-transfer/e-transfer-network.ts';
import { countedCents, type PlannedEntry } from '#payment-requests/model/money/movements.ts';
import { heldCents } from '#payment-requests/model/money/sums.ts';
import { type NewOperatorCase, planChange } from '#payment-requests/model/plan-change.ts';
import { decideReport, movementsOf } from '#payment-requests/network/decide-report.ts';
import {
  emptyMovementIndex,
  rememberEntry,
} from '#payment-requests/network/money/movement-index.ts';
import { created, NOW } from '../../support/payment-requests/report-decisions.ts';

const DAY_MS = 86_400_000;
const ASKED = 100;
/** Few, so that movements repeat, contradict each other and come back. */
const REFERENCES = ['A', 'B', 'C', 'D'];

type Step =
  | { readonly do: 'REPORT'; readonly outcome: NetworkOutcome; readonly isRevocable: boolean }
  | { readonly do: 'CANCEL' }
  | { readonly do: 'WAIT' };

const reference = fc.constantFrom(...REFERENCES);
const cents = fc.constantFrom(40, 60, 100, 120);
const currency = fc.constantFrom('CAD', 'CAD', 'CAD', 'USD');
const movement = fc.record({
  networkReference: reference,
  amountCents: cents,
  bankReference: fc.constant(null),
  bookingDate: fc.constant(null),
});

const outcome: fc.Arbitrary<NetworkOutcome> = fc.oneof(
  fc.record({ state: fc.constant('PART_RECEIVED' as const), currency, movement }),
  fc
    .tuple(currency, fc.uniqueArray(movement, { selector: (each) => each.networkReference }))
    .filter(([, movements]) => movements.length > 0)
    .map(([of, movements]) => ({
      state: 'SUCCEEDED' as const,
      currency: of,
      amountCents: movements.reduce((sum, { amountCents }) => sum + amountCents, 0),
      institution: 'A Bank',
      networkReference: movements.at(-1)?.networkReference ?? '',
      completedAt: NOW,
      movements,
    })),
  fc.record({
    state: fc.constant('RETURNED' as const),
    currency,
    movement: movement.map((each) => ({ ...each, networkReference: `${each.networkReference}-` })),
    returnedReference: fc.option(reference),
    reason: fc.constant(null),
  }),
  fc.constant({ state: 'ACCEPTED' as const }),
  fc.constant({ state: 'REFUSED' as const, reason: 'PAYER_DECLINED' as const }),
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('REPORT' as const),
      outcome,
      isRevocable: fc.constantFrom(false, false, true),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'CANCEL' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'WAIT' as const }) },
);

/** The results of a run of reports: the ledger, the cases and the statuses. */
function play(steps: readonly Step[]) {
  let current = created({ amountCents: ASKED });
  let now = NOW;
  const known = emptyMovementIndex();
  const ledger: PlannedEntry[] = [];
  const cases: NewOperatorCase[] = [];
  const statuses: string[] = [current.status];
  for (const each of steps) {
    if (each.do === 'WAIT') {
      now = new Date(now.getTime() + DAY_MS);
      continue;
    }
    const facts = {
      currency: 'CAD',
      money: known,
      suspendedMerchants: new Set<string>(),
      moneyCases: new Set<string>(),
    };
    const plan =
      each.do === 'CANCEL'
        ? planChange(current, { name: 'CANCELLED_BY_MERCHANT' }, now)
        : decideReport(current, { paymentRequestId: current.id, ...each }, facts, now).plan;
    for (const entry of plan.entries) rememberEntry(known, entry, now);
    ledger.push(...plan.entries);
    cases.push(...plan.operatorCases);
    statuses.push(...plan.changes.map(({ after }) => after.status));
    const versions = plan.changes.map(({ after }) => after.version);
    assert.deepEqual(
      versions,
      versions.map((_, index) => current.version + 1 + index),
      'each change is a version',
    );
    current = plan.paymentRequest;
  }
  return { current, ledger, cases, statuses };
}

function isFinalReport(each: Step): each is Extract<Step, { do: 'REPORT' }> {
  return each.do === 'REPORT' && !each.isRevocable;
}

const RUNS = fc.array(step, { maxLength: 14 });

describe('reports of money in any order', () => {
  it('keep the sums equal to the entries', () => {
    fc.assert(
      fc.property(RUNS, (steps) => {
        const { current, ledger } = play(steps);
        const counting = ledger.filter(({ type }) =>
          ['PAYMENT', 'LATE_PAYMENT', 'PART_PAYMENT'].includes(type),
        );
        const returns = ledger.filter(({ type }) => type === 'RETURN');
        assert.equal(countedCents(counting, current.id), current.sums.receivedCents);
        assert.equal(0 - countedCents(returns, current.id), current.sums.returnedCents);
      }),
      { numRuns: 3_000 },
    );
  });

  it('write each movement once', () => {
    fc.assert(
      fc.property(RUNS, (steps) => {
        const references = play(steps).ledger.map(({ networkReference }) => networkReference);
        assert.equal(new Set(references).size, references.length);
      }),
      { numRuns: 3_000 },
    );
  });

  it('write every movement of a report that the network cannot take back', () => {
    fc.assert(
      fc.property(RUNS, (steps) => {
        const references = new Set(play(steps).ledger.map((entry) => entry.networkReference));
        for (const { outcome: told } of steps.filter(isFinalReport)) {
          if (told.state !== 'SUCCEEDED' && told.state !== 'PART_RECEIVED') continue;
          for (const { networkReference } of movementsOf(told)) {
            assert.ok(references.has(networkReference), `${networkReference} is not in the ledger`);
          }
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('name in a case all money that counts for no payment request', () => {
    fc.assert(
      fc.property(RUNS, (steps) => {
        const { ledger, cases } = play(steps);
        const named = cases.flatMap(({ details }) => [
          details.networkReference,
          ...((details.networkReferences as unknown[]) ?? []),
        ]);
        for (const { type, networkReference } of ledger) {
          if (type !== 'UNMATCHED' && type !== 'SECOND_PAYMENT') continue;
          assert.ok(named.includes(networkReference), `no case names ${networkReference}`);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('change nothing when the last one is repeated', () => {
    fc.assert(
      fc.property(RUNS, (steps) => {
        const last = steps.at(-1);
        fc.pre(last?.do === 'REPORT');
        const [once, twice] = [play(steps), play([...steps, last as Step])];
        assert.deepEqual(twice.current, once.current);
        assert.deepEqual(twice.ledger, once.ledger);
      }),
      { numRuns: 3_000 },
    );
  });

  it('make PAID once, for the amount asked for, and never take it back', () => {
    fc.assert(
      fc.property(RUNS, (steps) => {
        const { current, statuses } = play(steps);
        const firstPaid = statuses.indexOf('PAID');
        assert.ok(firstPaid < 0 || statuses.slice(firstPaid).every((each) => each === 'PAID'));
        if (current.status !== 'PAID') assert.ok(heldCents(current) <= ASKED);
        else assert.ok(current.sums.receivedCents >= ASKED);
      }),
      { numRuns: 3_000 },
    );
  });
});
