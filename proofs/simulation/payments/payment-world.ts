import type { SplitDeps } from '#cases/split-case.ts';
import { newId } from '#lib/new-id.ts';
import type { Merchant } from '#merchants/merchant.ts';
import { FIRST_MESSAGE_SETTINGS } from '#merchants/model/message-settings.ts';
import type { WriteMessages } from '#messages/outbox/write-messages.ts';
import {
  type ApplyReportDeps,
  createReportBatcher,
} from '#payment-requests/network/apply-report.ts';
import type { NetworkCalls } from '#payment-requests/network/client.ts';
import type { CreateRefundsDeps } from '#refunds/create/create-refunds.ts';
import type { RefundReportDeps } from '#refunds/network/apply-refund-reports.ts';
import { failUncoveredRefunds } from '#refunds/network/fail-uncovered.ts';
import type { HandOverDeps } from '#refunds/network/hand-over.ts';
import type { Log } from '#telemetry/log/log.ts';
import { OperatorCases } from '../memory/case-rows.ts';
import { WebhookEvents } from '../memory/event-rows.ts';
import { fromJson, Journal } from '../memory/journal.ts';
import { Ledger } from '../memory/ledger-rows.ts';
import { type Handlers, MemoryDatabase } from '../memory/memory-database.ts';
import {
  newPaymentRequestRow,
  type PaymentRequestRow,
  PaymentRequests,
} from '../memory/payment-request-rows.ts';
import { Refunds } from '../memory/refund-rows.ts';
import { FakeClock } from '../run/fake-clock.ts';
import type { Random } from '../run/random.ts';
import { NetworkTruth } from './network-truth.ts';

export const CURRENCY = 'CAD';
export const MERCHANT: Merchant = {
  id: 'mer_1',
  name: 'Shop',
  status: 'ACTIVE',
  uniqueTransactionIds: false,
  webhookOrigins: [],
  returnOrigins: [],
  messageSettings: FIRST_MESSAGE_SETTINGS,
};

/** Low enough that a few refunds of a day reach it. */
const REFUNDS_PER_DAY_CENTS = 500;
const LONGEST_OPEN_MS = 26 * 3_600_000;

export const QUIET = { info() {}, warn() {}, error() {}, debug() {} } as unknown as Log;
export const SETTINGS = {
  publicApiUrl: 'https://pay.example/api',
  paymentLinkBase: 'https://pay.example/p',
  currency: CURRENCY,
};

/** The tables of money with the real use cases over them. */
export class PaymentWorld {
  readonly clock = new FakeClock();
  readonly truth = new NetworkTruth();
  readonly requests: PaymentRequests;
  readonly ledger: Ledger;
  readonly cases: OperatorCases;
  readonly refunds: Refunds;
  readonly events: WebhookEvents;
  readonly db: MemoryDatabase;
  /** Payment requests for which an operator has accepted another amount. */
  readonly accepted = new Set<string>();
  readonly reportDeps: ApplyReportDeps & Parameters<typeof createReportBatcher>[0];
  readonly refundDeps: CreateRefundsDeps & RefundReportDeps & HandOverDeps;
  readonly settleDeps: SplitDeps;
  readonly report: ReturnType<typeof createReportBatcher>;

  constructor(
    journal = new Journal(),
    others: Handlers = {},
    findShowing: SplitDeps['findShowing'] = null,
    messages: WriteMessages | null = null,
  ) {
    this.requests = new PaymentRequests(journal, this.clock);
    this.ledger = new Ledger(journal, this.requests);
    this.cases = new OperatorCases(journal);
    this.refunds = new Refunds(journal, this.requests, this.clock, REFUNDS_PER_DAY_CENTS);
    this.events = new WebhookEvents(journal);
    this.db = new MemoryDatabase(journal, {
      ...this.requests.handlers(),
      ...this.ledger.handlers(),
      ...this.cases.handlers(),
      ...this.refunds.handlers(),
      ...this.events.handlers(),
      'network-reference-find-facts': ([references]) =>
        fromJson<string[]>(references).map((reference) => ({
          reference,
          givenBackCents: this.refunds.givenBackOf(reference),
          ...this.cases.factsOf(reference),
        })),
      // Only the pages of bank transfers show the sum.
      'network-money-save-there': () => [],
      ...others,
    });
    const { db, clock } = this;
    const effects = {
      wakeSenders() {},
      onStatusChanged() {},
      onCaseOpened() {},
      onRefundChanged() {},
    };
    const common = {
      ...{ db, clock, settings: SETTINGS, log: QUIET, ...effects },
      ...(messages && { messages }),
    };
    const metrics = { networkReport() {}, networkCall() {}, batched() {} } as never;
    const { truth } = this;
    this.refundDeps = {
      ...common,
      timeZone: 'UTC',
      handOverSeconds: () => 0,
      findSpentIds: async () => [],
      calendar: 'TARGET',
      calls: {
        startRefund: (refund) => truth.startRefund(refund),
        askRefundState: (id) => truth.askRefundState(id),
      } as NetworkCalls,
    };
    this.reportDeps = {
      ...common,
      metrics,
      currency: CURRENCY,
      onMoneyReturned: (tx, ids, references) =>
        failUncoveredRefunds(tx, this.refundDeps, ids, references),
    };
    this.settleDeps = { ...common, actor: 'operator', canRefund: true, findShowing };
    this.report = createReportBatcher(this.reportDeps);
  }

  create(random: Random, amountCents: number): PaymentRequestRow {
    const createdAt = this.clock.now();
    const openMs = 60_000 + random.below(LONGEST_OPEN_MS);
    const row = newPaymentRequestRow({
      id: newId(),
      merchantId: MERCHANT.id,
      amountCents,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + openMs),
    });
    this.requests.rows.put(row.id, row);
    return row;
  }

  /** The place of a payment request in the order of creation, for people. */
  nameOf(id: string): string {
    const place = this.requests.rows.all().findIndex((row) => row.id === id);
    return `request ${place + 1}`;
  }
}
