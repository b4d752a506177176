import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SETTLEMENTS } from '#cases/model/case-kinds.ts';
import { reasonOf } from '#console/messages/message-parts.ts';
import type { RequestDetails } from '#console/payment-requests/read-details.ts';
import { newestFirst, type RequestEntry } from '#console/payment-requests/timeline-entry.ts';
import { timelineList } from '#console/payment-requests/timeline-list.ts';
import type { Visit } from '#console/shell/visit.ts';
import { CONSOLE_LANGUAGES, type ConsoleLanguage } from '#http/negotiation/choose-language.ts';
import { ENTRY_TYPES } from '#ledger/model/entry.ts';
import { AUDIT_ACTIONS } from '#merchants/audit-actions.ts';
import { CANCELLATION_REASONS } from '#payment-requests/model/cancellation-reasons.ts';
import { CHANGEABLE_FIELDS } from '#payment-requests/model/field-lists.ts';
import { CAUSES, STATUS_REASONS, STATUSES } from '#payment-requests/model/statuses.ts';
import { REFUND_STATUS_REASONS, REFUND_STATUSES } from '#refunds/model/statuses.ts';
import { OPERATOR_CASES } from '#telemetry/metrics/network-metrics.ts';
import { EVENT_TYPES } from '#webhooks/model/event-types.ts';
import { DELIVERY_OUTCOMES } from '#webhooks/model/outcomes.ts';

const STEPS = ['TRANSFER_SENT', 'INSTITUTION_CHOSEN', 'SIGN_IN_FAILED', 'SIGNED_IN', 'CONFIRMED'];
const LAST_STEPS = ['INSTITUTION_REFUSED', 'DECLINED'];
const amountCents = 1234;

/** Every kind of entry with each of its codes, an hour apart. */
function everyEntry(): readonly RequestEntry[] {
  const refund = { refundId: 'r', merchantRefundId: null, amountCents };
  const caseOf = { kind: 'PART_PAYMENT', settlement: 'ACCEPTED' };
  const attempt = {
    url: 'https://shop.test/',
    startedAt: new Date(0),
    httpStatus: null,
    responseBody: null,
  };
  const of = (type: string, details: object) => [type, details] as const;
  const histories = [
    ...STATUSES.map((status) => of('STATUS_CHANGED', { status, cause: 'CREATED' })),
    ...CAUSES.map((cause) => of('STATUS_CHANGED', { status: 'PAID', cause })),
    ...Object.keys(STATUS_REASONS).map((reasonCode) =>
      of('STATUS_CHANGED', { status: 'FAILED', cause: 'PAYMENT_REFUSED', reasonCode }),
    ),
    ...REFUND_STATUSES.map((status) => of('REFUND_CHANGED', { ...refund, status })),
    ...Object.keys(REFUND_STATUS_REASONS).map((reasonCode) =>
      of('REFUND_CHANGED', { ...refund, status: 'FAILED', reasonCode }),
    ),
    ...CANCELLATION_REASONS.map((reason) => of('CANCELLATION_REQUESTED', { reason })),
    ...[...STEPS, ...LAST_STEPS].map((step) => of('PAYER_STEP', { step })),
    ...OPERATOR_CASES.map((kind) => of('CASE_SETTLED', { ...caseOf, kind })),
    ...Object.keys(SETTLEMENTS).map((settlement) => of('CASE_SETTLED', { ...caseOf, settlement })),
    ...EVENT_TYPES.flatMap((eventType) =>
      Object.keys(DELIVERY_OUTCOMES).map((outcome) =>
        of('WEBHOOK_ATTEMPTED', { ...attempt, eventType, outcome, attempt: 1, durationMs: 5 }),
      ),
    ),
    of('UPDATED', { fields: CHANGEABLE_FIELDS }),
    of('MONEY_RETURNED', { amountCents, reason: 'CORRECTED_BOOKING' }),
  ];
  const occurredAt = new Date(0);
  const entries = [
    ...histories.map(([type, details]) => ({ kind: 'HISTORY', entry: { type, details } })),
    ...EVENT_TYPES.map((eventType) => ({ kind: 'EVENT', event: { id: '1', eventType }, urls: 1 })),
    ...Object.keys(ENTRY_TYPES).map((type) => ({
      kind: 'MOVEMENT',
      movement: { type, amountCents },
    })),
    ...AUDIT_ACTIONS.map((action) => {
      const details = { kind: 'REFUND', amountCents, reason: 'REQUESTED_BY_CUSTOMER' };
      return { kind: 'ACT', act: { action, actor: 'api', details, occurredAt } };
    }),
  ];
  return entries.map((entry, hour) => {
    const at = new Date(hour * 3_600_000);
    const [[name = '', value] = []] = Object.entries(entry).filter(([key]) => key !== 'kind');
    const dated = { ...(value as object), occurredAt: at, createdAt: at };
    return { ...entry, at, [name]: dated } as unknown as RequestEntry;
  });
}

const CODES = [
  ...[...STATUSES, ...CAUSES, ...Object.keys(STATUS_REASONS), ...REFUND_STATUSES],
  ...[...Object.keys(REFUND_STATUS_REASONS), ...CANCELLATION_REASONS, ...STEPS, ...LAST_STEPS],
  ...[...OPERATOR_CASES, ...Object.keys(SETTLEMENTS), ...EVENT_TYPES],
  ...[...Object.keys(ENTRY_TYPES), ...AUDIT_ACTIONS, ...Object.keys(DELIVERY_OUTCOMES)],
  ...CHANGEABLE_FIELDS.filter((name) => /[A-Z]/.test(name)),
];

/** Folded parts have folded parts. */
function withoutDetails(html: string): string {
  const left = html.replace(/<details(?:(?!<details)[\s\S])*?<\/details>/g, '');
  return left === html ? html : withoutDetails(left);
}

/** The text of a page that a person reads without opening a part of it. */
function readText(html: string): string {
  return withoutDetails(html).replace(/<[^>]*>/g, ' ');
}

describe('the reason of a message', () => {
  it('says what a message waits for that is due or was tried', () => {
    const now = new Date(600_000);
    const of = (more: object) =>
      reasonOf({ language: 'en', now }, { status: 'SCHEDULED', reason: null, ...more });
    assert.equal(of({ attemptLog: [], dueAt: now }), null);
    assert.match(
      of({ attemptLog: [], dueAt: new Date(0) }) ?? '',
      /^It is due and waits for its turn/,
    );
    const tried = of({
      attemptLog: [{}, {}],
      dueAt: new Date(0),
      nextAttemptAt: new Date(900_000),
    });
    assert.match(
      tried ?? '',
      /^2 attempts failed: the mail server did not take it\. Next attempt in 5 minutes\.$/,
    );
  });
});

describe('the timeline of a payment request', () => {
  const visitIn = (language: ConsoleLanguage) =>
    ({
      ...{ language, timeZone: 'UTC', currency: 'CAD', query: new URLSearchParams() },
      ...{ now: new Date(), can: () => false },
    }) as unknown as Visit;

  for (const language of CONSOLE_LANGUAGES) {
    it(`shows no code of the API outside its folded parts in ${language}`, () => {
      const entries = everyEntry();
      const shown = { entries, refunds: [], events: new Map() } as unknown as RequestDetails;
      const html = timelineList(visitIn(language), shown);
      const words = new Set(readText(html).match(/[\w-]+/g));
      assert.deepEqual(
        CODES.filter((code) => words.has(code)),
        [],
      );
      for (const code of CODES.filter((each) => /_/.test(each)).slice(0, 5)) {
        assert.ok(html.includes(code), `${code} stands in a folded part`);
      }
    });
  }

  it('shows the latest attempt of each delivery, and folds those before', () => {
    const attempted = { type: 'WEBHOOK_ATTEMPTED', eventType: 'PAYMENT-COMPLETED' };
    const attempts = ['one', 'other'].flatMap((deliveryId) =>
      [1, 2, 3].map((attempt) => {
        const own = { ...attempted, deliveryId, eventId: 'e', attempt, outcome: 'TIMED_OUT' };
        const at = new Date(attempt * 60_000);
        const details = { ...own, url: 'https://shop.test/', startedAt: at, httpStatus: null };
        const answer = { responseBody: null, durationMs: 5 };
        const entry = { type: own.type, occurredAt: at, details: { ...details, ...answer } };
        return { kind: 'HISTORY', at, entry };
      }),
    );
    const event = { id: 'e', eventType: 'PAYMENT-COMPLETED', sequence: 1, body: '{}' };
    const status = { status: 'EXPIRED', cause: 'EXPIRY_PASSED', reasonCode: 'LINK_EXPIRED' };
    const refund = { refundId: 'r', amountCents, status: 'FAILED', reasonCode: null };
    const [change, refunded, sent] = [new Date(0), new Date(30_000), new Date(30_000)];
    const entries = newestFirst([
      ...attempts,
      { kind: 'EVENT', at: sent, event, urls: 2 },
      { kind: 'HISTORY', at: refunded, entry: { type: 'REFUND_CHANGED', details: refund } },
      { kind: 'HISTORY', at: change, entry: { type: 'STATUS_CHANGED', details: status } },
    ] as unknown as RequestEntry[]);
    const deliveries = [{ id: 'one', nextAttemptAt: new Date(7 * 60_000) }];
    const visit = { ...visitIn('en'), now: new Date(3 * 60_000) };
    const shown = { entries, deliveries, refunds: [], events: new Map() };
    const html = timelineList(visit, shown as unknown as RequestDetails);
    const titles = withoutDetails(html).matchAll(/<p class="(?:what|step)">([^<]*)/g);
    const read = [...titles].map(([, title]) => title?.replace(/&#\d+;/g, ''));
    assert.deepEqual(read, [
      'Refund of $12.34 failed',
      'The payment request expired unpaid',
      'Webhook “payment completed” was made',
      'Webhook “payment completed”: 3 attempts, the last without an answer in time; the next in 4 minutes',
      'Webhook “payment completed”: 3 attempts, the last without an answer in time',
    ]);
    assert.equal(html.match(/<summary>2 earlier attempts<\/summary>/g)?.length, 2);
  });
});
