export type Simulation = 'payments' | 'bank' | 'deliveries';

/** A part of the core, with the nearest tests: a mutant of its files must fail one of them. */
export interface Area {
  readonly files: readonly string[];
  readonly tests: readonly string[];
  /** Tests that take seconds: they run for what the others and the simulation leave. */
  readonly slowTests: readonly string[];
  /** The simulations that reach the files; they try a mutant in milliseconds. */
  readonly simulations: readonly Simulation[];
  /** `SQL`: the conditions of the statements; `CODE`: everything else. */
  readonly kind: 'CODE' | 'SQL';
}

const DOMAIN = 'service/src/payment-requests';
const BANK = 'service/src/e-transfer/bank-transfer';
const WEBHOOKS = 'service/src/webhooks';
const UNIT = 'service/test/unit';

/** The core by area; `npm run mutation -- --only states` runs one. */
export const AREAS: Readonly<Record<string, Area>> = {
  states: {
    files: [
      `${DOMAIN}/model/statuses.ts`,
      `${DOMAIN}/model/plan-change.ts`,
      'service/src/refunds/model/statuses.ts',
      'service/src/refunds/model/plan-change.ts',
    ],
    tests: [
      `${UNIT}/payment-requests/statuses.test.ts`,
      `${UNIT}/payment-requests/plan-change.test.ts`,
      `${UNIT}/refunds/refund-statuses.test.ts`,
    ],
    slowTests: [`${UNIT}/payment-requests/decide-report.test.ts`],
    simulations: ['payments'],
    kind: 'CODE',
  },
  money: {
    files: [
      `${DOMAIN}/model/money/sums.ts`,
      `${DOMAIN}/model/money/movements.ts`,
      `${DOMAIN}/network/decide-report.ts`,
      `${DOMAIN}/network/money/weigh-money.ts`,
      `${DOMAIN}/network/money/decide-return.ts`,
      `${DOMAIN}/network/money/known-money.ts`,
      'service/src/refunds/model/cover.ts',
      'service/src/refunds/create/decide-creation.ts',
    ],
    tests: [
      `${UNIT}/payment-requests/sums.test.ts`,
      `${UNIT}/payment-requests/weigh-money.test.ts`,
      `${UNIT}/payment-requests/revocable-and-returned-money.test.ts`,
      `${UNIT}/refunds/decide-creation.test.ts`,
    ],
    slowTests: [`${UNIT}/payment-requests/decide-report.test.ts`],
    simulations: ['payments'],
    kind: 'CODE',
  },
  matching: {
    files: [
      `${BANK}/matching/decide-movement.ts`,
      `${BANK}/matching/plan-matches.ts`,
      `${BANK}/matching/same-money.ts`,
    ],
    tests: [`${UNIT}/e-transfer/same-money.test.ts`],
    slowTests: ['service/test/e-transfer/bank-transfer/matching-table.test.ts'],
    simulations: ['bank'],
    kind: 'CODE',
  },
  schedule: {
    files: [`${WEBHOOKS}/model/retry-schedule.ts`, `${WEBHOOKS}/sending/circuit-breaker.ts`],
    tests: [`${UNIT}/webhooks/retry-schedule.test.ts`, `${UNIT}/webhooks/circuit-breaker.test.ts`],
    slowTests: [],
    simulations: ['deliveries'],
    kind: 'CODE',
  },
  signature: {
    files: [`${WEBHOOKS}/https/sign-webhook.ts`],
    tests: [`${UNIT}/webhooks/sign-webhook.test.ts`],
    slowTests: [],
    simulations: [],
    kind: 'CODE',
  },
  guard: {
    files: [`${WEBHOOKS}/https/url-guard.ts`, `${WEBHOOKS}/https/forbidden-addresses.ts`],
    tests: [`${UNIT}/webhooks/forbidden-addresses.test.ts`],
    slowTests: ['service/test/webhooks/webhook-url-guard.test.ts'],
    simulations: [],
    kind: 'CODE',
  },
  idempotency: {
    files: [
      'service/src/idempotency/answer-once.ts',
      'service/src/idempotency/claim-keys.ts',
      'service/src/idempotency/stored-answer.ts',
    ],
    tests: [],
    slowTests: [
      'service/test/idempotency/answer-once.test.ts',
      'service/test/idempotency/idempotent-creation.test.ts',
    ],
    simulations: [],
    kind: 'CODE',
  },
  outbox: {
    files: [`${WEBHOOKS}/events/outbox.ts`],
    tests: [],
    slowTests: ['service/test/webhooks/webhook-outbox.test.ts'],
    simulations: [],
    kind: 'SQL',
  },
  claim: {
    files: [
      `${WEBHOOKS}/sending/claim-store.ts`,
      `${WEBHOOKS}/sending/record-store.ts`,
      `${WEBHOOKS}/sending/delivery-store.ts`,
    ],
    tests: [],
    slowTests: [
      'service/test/webhooks/claim-deliveries.test.ts',
      'service/test/webhooks/record-attempts.test.ts',
      'service/test/webhooks/deliver-webhooks.test.ts',
      'service/test/webhooks/circuit-breaker.test.ts',
      'service/test/webhooks/breaker-by-url.test.ts',
    ],
    simulations: [],
    kind: 'SQL',
  },
};
