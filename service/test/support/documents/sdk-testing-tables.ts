import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ACCESS_TOKEN_LIFETIME_SECONDS } from '#access/lifetimes.ts';
import { PROBLEMS } from '#http/problems/kinds.ts';
import { PROBLEM_CODES, type ProblemCode } from '#lib/problem.ts';
import {
  CancellationSchema,
  PaymentRequestUpdateSchema,
} from '#payment-requests/change/schemas.ts';
import { CONTRACT_TIMES, LEAST_AHEAD_MS } from '#payment-requests/model/expiry.ts';
import { ANSWERED_FIELDS } from '#payment-requests/model/field-lists.ts';
import { MOST_METADATA_KEYS } from '#payment-requests/model/fields.ts';
import { NewPaymentRequestSchema } from '#payment-requests/model/schemas.ts';
import {
  STATUS_FACTS,
  STATUS_REASONS,
  TRANSITIONS,
  type Transition,
} from '#payment-requests/model/statuses.ts';
import { ListQuerySchema } from '#payment-requests/read/schemas.ts';
import { HIGHEST_AMOUNT_CENTS } from '#refunds/create/validate-refund.ts';
import { NewRefundSchema } from '#refunds/model/schemas.ts';
import { REFUND_STATUS_REASONS, REFUND_TRANSITIONS } from '#refunds/model/statuses.ts';
import { RefundListQuerySchema } from '#refunds/read/schemas.ts';
import { misbehaviourOf } from '#sandbox/misbehaviour-of.ts';
import {
  ACTIONS,
  CREATE_ERRORS,
  MOST_SECONDS,
  OUTCOME_NAMES,
  OUTCOME_SECONDS,
  planSimulation,
  type Step,
} from '#sandbox/outcomes.ts';
import { HAND_OVER_SECONDS } from '#sandbox/refunds/plan-refund.ts';
import { RefundSimulationSchema, SimulationSchema } from '#sandbox/simulation-schemas.ts';
import { EXCHANGE_TIMEOUT_MS } from '#webhooks/https/send-webhook.ts';
import { EVENT_TYPE_FACTS } from '#webhooks/model/event-types.ts';
import { BUSY_STATUSES, SLOW_LISTENER_WAIT_SECONDS } from '#webhooks/model/retry-schedule.ts';
import { SETTINGS } from '../../../src/settings.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const PATH = 'sdk/src/testing/tables.ts';
/** The longest line of code. */
const WIDTH = 100;
const BIOME = fileURLToPath(import.meta.resolve('@biomejs/biome/bin/biome'));
/** The problems that the bounded API answers. */
const ANSWERED: ReadonlySet<string> = new Set<ProblemCode>([
  ...['MALFORMED_JSON', 'VALIDATION_ERROR', 'API_KEY_INVALID', 'ACCESS_TOKEN_INVALID'],
  ...['MERCHANT_MISMATCH', 'PAYMENT_REQUEST_NOT_FOUND', 'REFUND_NOT_FOUND', 'ROUTE_NOT_FOUND'],
  ...['PAYMENT_IN_PROGRESS', 'NOT_PAID', 'DUPLICATE_MERCHANT_REFUND_ID'],
  ...['REFUND_OUTCOME_IMPOSSIBLE', 'VERSION_MISMATCH', 'REFUND_AMOUNT_MISMATCH'],
  ...['IDEMPOTENCY_KEY_REUSED', 'REFUND_AMOUNT_EXCEEDED'],
  ...Object.values(STATUS_FACTS).flatMap(({ refusal }) => refusal ?? []),
  ...CREATE_ERRORS.values(),
] as ProblemCode[]);

const SCHEMAS = {
  creation: NewPaymentRequestSchema,
  update: PaymentRequestUpdateSchema,
  cancellation: CancellationSchema,
  list: ListQuerySchema,
  refund: NewRefundSchema,
  refundList: RefundListQuerySchema,
  simulation: SimulationSchema,
  refundSimulation: RefundSimulationSchema,
};

/** The numbers of the service's rules. A deployment may set other amounts. */
const LIMITS = {
  ...CONTRACT_TIMES,
  leastExpirySeconds: LEAST_AHEAD_MS / 1_000,
  mostCents: Number(SETTINGS.MAX_AMOUNT.fallback) * 100,
  mostRefundCents: HIGHEST_AMOUNT_CENTS,
  mostMetadataKeys: MOST_METADATA_KEYS,
  outcomeSeconds: OUTCOME_SECONDS,
  mostOutcomeSeconds: MOST_SECONDS,
  handOverSeconds: HAND_OVER_SECONDS,
  accessTokenSeconds: ACCESS_TOKEN_LIFETIME_SECONDS,
  busyListenerSeconds: SLOW_LISTENER_WAIT_SECONDS,
  exchangeMs: EXCHANGE_TIMEOUT_MS,
};

/** Each table with its meaning and its type. */
const TABLES: readonly (readonly unknown[])[] = [
  [
    ...['PROBLEMS', 'Status, title and sentence.'],
    ...['Readonly<Partial<Record<ProblemCode, readonly [number, string, string]>>>', problems()],
  ],
  [
    ...['REFUSALS', 'Why a status refuses a change; null: it does not.'],
    ...['Readonly<Record<Status, ProblemCode | null>>', refusals()],
  ],
  [
    ...['TRANSITIONS', 'From, cause, to, reason, event, whether the money is late.'],
    'readonly (readonly [Status | null, string, Status, string, EventType | null, boolean])[]',
    transitions(),
  ],
  [
    'STATUS_REASONS',
    'The sentences of reasons.',
    'Readonly<Record<string, string>>',
    STATUS_REASONS,
  ],
  [
    ...['REFUND_TRANSITIONS', 'From, cause, to, reason, event.'],
    'readonly (readonly [string | null, string, RefundStatus, string | null, EventType | null])[]',
    refundTransitions(),
  ],
  [
    ...['REFUND_STATUS_REASONS', 'The sentences of reasons of refunds.'],
    ...['Readonly<Record<string, string>>', REFUND_STATUS_REASONS],
  ],
  [
    ...['EVENT_TYPES', 'Resource, in the specification, to the own URL, sentence.'],
    'Readonly<Record<EventType, readonly [string, boolean, boolean, string | null]>>',
    eventTypes(),
  ],
  [
    ...['OUTCOMES', 'The steps of payers’ names: seconds, cause, whether late, reason.'],
    'Readonly<Record<string, readonly (readonly [number, string, boolean, string | null])[]>>',
    outcomes(),
  ],
  [
    'MISBEHAVIOURS',
    'How webhooks of a name misbehave.',
    'Readonly<Record<string, string>>',
    misbehaviours(),
  ],
  [
    ...['CREATE_ERRORS', 'The problems of createError.'],
    ...['Readonly<Partial<Record<string, ProblemCode>>>', Object.fromEntries(CREATE_ERRORS)],
  ],
  ['ANSWERED_FIELDS', 'Members of answers, in order.', 'readonly string[]', ANSWERED_FIELDS],
  ['LIMITS', 'Bounds and times.', 'Readonly<Record<Limit, number>>', LIMITS],
  ['CURRENCY', 'The default.', 'string', SETTINGS.CURRENCY.fallback],
  ['RETRY_SECONDS', 'Waits before attempts of a webhook.', 'readonly number[]', retrySeconds()],
  ['BUSY_STATUSES', 'A busy listener.', 'readonly number[]', [...BUSY_STATUSES]],
  [
    'SCHEMAS',
    'The rules of bodies and queries.',
    'Readonly<Record<Rules, Schema>>',
    rulesOf(SCHEMAS),
  ],
];

/** The tables of the service as data of the SDK, which imports nothing of the service. */
export function renderSdkTestingTables(): string {
  const text = `// Written by \`npm run docs\` from the tables of the service; a test fails while it is stale.
import type { ProblemCode } from '../errors/codes.ts';
import type { PaymentRequestStatus as Status } from '../payment-request.ts';
import type { RefundStatus } from '../refund.ts';
import type { AnyWebhookEventType as EventType } from '../webhooks/event.ts';
import type { Schema } from './find-faults.ts';

type Limit = ${union(Object.keys(LIMITS))};
type Rules = ${union(Object.keys(SCHEMAS))};

${TABLES.map(tableOf).join('\n')}`;
  const args = [BIOME, 'format', `--stdin-file-path=${PATH}`];
  return execFileSync(process.execPath, args, { cwd: ROOT, input: text, encoding: 'utf8' });
}

/** A table as JSON, in lines that break between two tokens. */
function tableOf([name, meaning, type, value]: readonly unknown[]): string {
  return `/** ${meaning} */\nexport const ${name}: ${type} = ${packed(value)};\n`;
}

function union(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(' | ');
}

function packed(value: unknown): string {
  const lines = [''];
  for (const [token] of JSON.stringify(value).matchAll(/"(?:[^"\\]|\\.)*"[:,]?|[^"[\]{},:]+|./g)) {
    if ((lines.at(-1) + token).length > WIDTH) lines.push('');
    lines[lines.length - 1] += token;
  }
  const text = lines.join('\n');
  return `JSON.parse(${text.includes('\\') ? 'String.raw' : ''}\`\n${text}\n\`)`;
}

function problems() {
  const codes = PROBLEM_CODES.filter((code) => ANSWERED.has(code));
  return Object.fromEntries(
    codes.map((code) => {
      const { status, title, detail } = PROBLEMS[code];
      return [code, [status, title, detail]];
    }),
  );
}

function refusals() {
  const facts = Object.entries(STATUS_FACTS);
  return Object.fromEntries(facts.map(([status, { refusal }]) => [status, refusal]));
}

function transitions() {
  const rows: readonly Transition[] = TRANSITIONS;
  return rows.map(({ from, cause, to, reason, webhook, paidLate = false }) => [
    from,
    cause,
    to,
    reason,
    webhook,
    paidLate,
  ]);
}

function refundTransitions() {
  return REFUND_TRANSITIONS.map(({ from, cause, to, reason, webhook }) => [
    from,
    cause,
    to,
    reason,
    webhook,
  ]);
}

function eventTypes() {
  const facts = Object.entries(EVENT_TYPE_FACTS);
  return Object.fromEntries(
    facts.map(([type, { resourceType, isSpecified, goesToOwnUrl, sentence }]) => [
      type,
      [resourceType, isSpecified, goesToOwnUrl, sentence],
    ]),
  );
}

function outcomes() {
  const plans = OUTCOME_NAMES.map((name) => [name, planSimulation(name)] as const);
  return Object.fromEntries(
    plans.flatMap(([name, plan]) =>
      plan.kind === 'STEPS' ? [[name, plan.steps.map(stepOf)]] : [],
    ),
  );
}

function stepOf({ afterSeconds, action, reasonCode }: Step) {
  const { cause, isLate } = ACTIONS[action];
  return [afterSeconds, cause, isLate, reasonCode ?? null];
}

function misbehaviours() {
  const named = OUTCOME_NAMES.map((name) => [name, misbehaviourOf(name)] as const);
  return Object.fromEntries(named.filter(([, misbehaviour]) => misbehaviour !== null));
}

function retrySeconds(): number[] {
  return (SETTINGS.WEBHOOK_RETRY_SCHEDULE_SECONDS.fallback ?? '').split(',').map(Number);
}

/** A schema without its words. */
function rulesOf(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(rulesOf);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(
    ([name, value]) => !(typeof value !== 'object' && /^(description|title|default)$/.test(name)),
  );
  const rules = kept.filter(([name]) => name !== 'examples');
  return Object.fromEntries(rules.map(([name, value]) => [name, rulesOf(value)]));
}
