export type Simulation = 'payments' | 'bank' | 'deliveries';

/** A part of the core, with the nearest tests: a mutant of its files must fail one of them. */
export interface Area {
  readonly files: readonly string[];
  /** Pure tests without hooks: one process runs them again for each mutant. */
  readonly tests: readonly string[];
  /**
   * Tests that take seconds: they run for what the others and the simulation leave. Money, refunds
   * and cases need none: the others kill more than 95 % of their mutants.
   */
  readonly slowTests: readonly string[];
  /** The simulations that reach the files; they try a mutant in milliseconds. */
  readonly simulations: readonly Simulation[];
}

const DOMAIN = 'service/src/payment-requests';
const BANK = 'service/src/e-transfer/bank-transfer';
const REFUNDS = 'service/src/refunds';
const CASES = 'service/src/cases';
const WEBHOOKS = 'service/src/webhooks';
const UNIT = 'service/test/unit';
/** The real use cases over tables in memory. */
const EFFECTS = 'proofs/simulation/test';

/** The core by area; `npm run mutation -- --only states` runs one. */
export const AREAS: Readonly<Record<string, Area>> = {
  states: {
    files: [
      `${DOMAIN}/model/statuses.ts`,
      `${DOMAIN}/model/plan-change.ts`,
      `${DOMAIN}/model/expiry.ts`,
      `${DOMAIN}/model/can-still-be-paid.ts`,
    ],
    tests: [
      `${UNIT}/payment-requests/statuses.test.ts`,
      `${UNIT}/payment-requests/plan-change.test.ts`,
      `${UNIT}/payment-requests/expiry.test.ts`,
      `${UNIT}/payment-requests/decide-report.test.ts`,
    ],
    slowTests: [
      'service/test/journeys/payment-request-moves.test.ts',
      'service/test/database/status-table.test.ts',
    ],
    simulations: ['payments'],
  },
  money: {
    files: [
      `${DOMAIN}/model/money/sums.ts`,
      `${DOMAIN}/model/money/movements.ts`,
      `${DOMAIN}/model/money/waiting.ts`,
      `${DOMAIN}/network/decide-report.ts`,
      `${DOMAIN}/network/money/classify-amount.ts`,
      `${DOMAIN}/network/money/decide-return.ts`,
      `${DOMAIN}/network/money/movement-index.ts`,
      `${DOMAIN}/network/money/moved-money.ts`,
      `${DOMAIN}/network/money/plan-arrival.ts`,
      `${DOMAIN}/network/money/plan-replacement.ts`,
    ],
    tests: [
      `${UNIT}/payment-requests/sums.test.ts`,
      `${UNIT}/payment-requests/waiting.test.ts`,
      `${UNIT}/payment-requests/movement-index.test.ts`,
      `${UNIT}/payment-requests/classify-amount.test.ts`,
      `${UNIT}/payment-requests/revocable-and-returned-money.test.ts`,
      `${UNIT}/payment-requests/plan-arrival.test.ts`,
      `${UNIT}/payment-requests/plan-replacement.test.ts`,
      `${UNIT}/payment-requests/decide-report.test.ts`,
    ],
    slowTests: [],
    simulations: ['payments', 'bank'],
  },
  refunds: {
    files: [
      `${REFUNDS}/model/statuses.ts`,
      `${REFUNDS}/model/plan-change.ts`,
      `${REFUNDS}/model/cover.ts`,
      `${REFUNDS}/create/decide-creation.ts`,
      `${REFUNDS}/create/validate-refund.ts`,
      `${REFUNDS}/network/schedule.ts`,
      `${REFUNDS}/network/fail-uncovered.ts`,
      `${REFUNDS}/network/hand-over.ts`,
      `${REFUNDS}/network/apply-refund-reports.ts`,
      `${REFUNDS}/status/change-refund-status.ts`,
    ],
    tests: [
      `${UNIT}/refunds/refund-statuses.test.ts`,
      `${UNIT}/refunds/decide-creation.test.ts`,
      `${UNIT}/refunds/validate-refund.test.ts`,
      `${UNIT}/refunds/refund-schedule.test.ts`,
      `${EFFECTS}/hand-over-refunds.test.ts`,
      `${EFFECTS}/refund-reports.test.ts`,
    ],
    slowTests: [],
    simulations: ['payments'],
  },
  cases: {
    files: [
      `${CASES}/model/case-kinds.ts`,
      `${CASES}/model/read-parts.ts`,
      `${CASES}/accept-case.ts`,
      `${CASES}/assign-case.ts`,
      `${CASES}/close-case.ts`,
      `${CASES}/create-refunds.ts`,
      `${CASES}/refund-case.ts`,
      `${CASES}/replace-case.ts`,
      `${CASES}/split-case.ts`,
      `${CASES}/settle-case.ts`,
    ],
    tests: [
      `${UNIT}/case-kinds.test.ts`,
      `${EFFECTS}/accept-cases.test.ts`,
      `${EFFECTS}/refund-cases.test.ts`,
      `${EFFECTS}/replace-cases.test.ts`,
      `${EFFECTS}/split-cases.test.ts`,
    ],
    slowTests: [],
    simulations: ['payments', 'bank'],
  },
  matching: {
    files: [
      `${BANK}/matching/decide-movement.ts`,
      `${BANK}/matching/plan-matches.ts`,
      `${BANK}/matching/same-money.ts`,
    ],
    tests: [
      `${UNIT}/e-transfer/same-money.test.ts`,
      `${UNIT}/e-transfer/decide-movement.test.ts`,
      `${UNIT}/e-transfer/plan-matches.test.ts`,
    ],
    slowTests: ['service/test/e-transfer/bank-transfer/matching-table.test.ts'],
    simulations: ['bank'],
  },
  schedule: {
    files: [`${WEBHOOKS}/model/retry-schedule.ts`, `${WEBHOOKS}/sending/circuit-breaker.ts`],
    tests: [`${UNIT}/webhooks/retry-schedule.test.ts`, `${UNIT}/webhooks/circuit-breaker.test.ts`],
    slowTests: [],
    simulations: ['deliveries'],
  },
  signature: {
    files: [`${WEBHOOKS}/https/sign-webhook.ts`],
    tests: [`${UNIT}/webhooks/sign-webhook.test.ts`],
    slowTests: [],
    simulations: [],
  },
  guard: {
    files: [`${WEBHOOKS}/https/url-guard.ts`, `${WEBHOOKS}/https/forbidden-addresses.ts`],
    tests: [`${UNIT}/webhooks/forbidden-addresses.test.ts`],
    slowTests: ['service/test/webhooks/webhook-url-guard.test.ts'],
    simulations: [],
  },
  idempotency: {
    files: [
      'service/src/idempotency/answer-once.ts',
      'service/src/idempotency/claim-keys.ts',
      'service/src/idempotency/read-idempotent-call.ts',
      'service/src/idempotency/send-stored-answer.ts',
      'service/src/idempotency/idempotency-store.ts',
    ],
    tests: [],
    slowTests: [
      'service/test/idempotency/answer-once.test.ts',
      'service/test/idempotency/idempotent-creation.test.ts',
    ],
    simulations: [],
  },
  outbox: {
    files: [`${WEBHOOKS}/events/outbox.ts`],
    tests: [],
    slowTests: ['service/test/webhooks/webhook-outbox.test.ts'],
    simulations: [],
  },
  claims: {
    files: [
      `${WEBHOOKS}/sending/claim-store.ts`,
      `${WEBHOOKS}/sending/record-store.ts`,
      `${WEBHOOKS}/sending/lease-store.ts`,
    ],
    tests: [],
    slowTests: [
      'service/test/webhooks/senders/claim-table.test.ts',
      'service/test/webhooks/senders/claim-named.test.ts',
      'service/test/webhooks/claim-deliveries.test.ts',
      'service/test/webhooks/record-attempts.test.ts',
      'service/test/webhooks/deliver-webhooks.test.ts',
      'service/test/webhooks/circuit-breaker.test.ts',
      'service/test/webhooks/breaker-by-url.test.ts',
    ],
    simulations: [],
  },
};
