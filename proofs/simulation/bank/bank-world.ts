import { findShowing } from '#e-transfer/bank-transfer/entries/case-money-store.ts';
import type { EntryDetail } from '#e-transfer/bank-transfer/entries/model/movement.ts';
import { rankOf } from '#e-transfer/bank-transfer/entries/stage-payments.ts';
import type { MatchEntriesDeps } from '#e-transfer/bank-transfer/matching/match-entries.ts';
import type { ReportMovementsDeps } from '#e-transfer/bank-transfer/matching/report-movements.ts';
import { creditorReferenceOf } from '#e-transfer/bank-transfer/references/creditor-reference.ts';
import type { NetworkListener } from '#e-transfer/e-transfer-network.ts';
import { newId } from '#lib/new-id.ts';
import { reportFee } from '#payment-requests/network/money/report-fee.ts';
import { reportUnmatched } from '#payment-requests/network/money/report-unmatched.ts';
import { absentHandlers } from '../memory/absent-rows.ts';
import { BankTables, type EntryRow } from '../memory/bank-rows.ts';
import { Journal } from '../memory/journal.ts';
import type { Handlers } from '../memory/memory-database.ts';
import { CURRENCY, MERCHANT, PaymentWorld } from '../payments/payment-world.ts';
import type { Random } from '../run/random.ts';
import { BankTruth, bankReferenceOf, type TrueMoney } from './bank-truth.ts';

/** The account that pages show, and one of the same merchant that they do not show. */
export const SHOWN_IBAN = 'DE02120300000000202051';
export const OTHER_IBAN = 'DE02500105170137075030';

/** Above the highest amount that is asked, so that only sums of several payments meet it. */
const MOST_AUTOMATIC_CENTS = 1_500;
const KEY = { current: Buffer.alloc(32, 1), previous: null };

export type MessageKind = 'camt.052' | 'camt.053' | 'camt.054';

export interface Message {
  readonly kind: MessageKind;
  readonly money: readonly TrueMoney[];
  /** Announced money, which moves nothing. */
  readonly isPending?: boolean;
  /** A message may leave out what others tell; a camt.053 tells everything. */
  readonly leavesOut?: 'REFERENCES' | 'END_TO_END' | null;
}

/** Statements of a bank, matched and reported by the service, over the tables of money. */
export class BankWorld {
  readonly payments: PaymentWorld;
  readonly bank: BankTables;
  readonly truth: BankTruth;
  readonly matchDeps: MatchEntriesDeps;
  readonly reportDeps: ReportMovementsDeps;
  #files = 0;

  constructor(random: Random) {
    const journal = new Journal();
    const clock = { now: () => this.payments.clock.now(), steadyMs: () => 0 };
    this.bank = new BankTables(journal, clock, () => MERCHANT.id);
    const handlers: Handlers = {
      ...this.bank.handlers(),
      ...absentHandlers(this.bank),
      // A trigger sets the sum with the status PAID.
      'bank-matching-keep-outcomes': ([ids]) => {
        for (const { id, status, ...sums } of this.payments.requests.rows.some(ids as string[])) {
          const receivedCents = Math.max(0, sums.received_cents - sums.returned_cents);
          if (status === 'PAID') this.bank.shown.patch(id, { receivedCents });
        }
        return [];
      },
    };
    this.payments = new PaymentWorld(journal, handlers, findShowing);
    this.truth = new BankTruth(random);
    const { db, reportDeps, report } = this.payments;
    const { log } = reportDeps;
    const metrics = { bankEntriesMatched() {}, bankAlert() {} } as never;
    this.matchDeps = {
      db,
      clock,
      log,
      metrics,
      secretsKey: KEY,
      maxAutomaticCents: MOST_AUTOMATIC_CENTS,
      matchRefundEntries: null,
    };
    const listener: NetworkListener = {
      report,
      reportUnmatched: (money) => reportUnmatched(reportDeps, money),
      reportFee: (fee) => reportFee(reportDeps, fee),
      async reportRefunds() {},
      async reportRefundBooking() {},
      noteStep() {},
    };
    this.reportDeps = { db, listener };
  }

  create(random: Random, amountCents: number): string {
    const { id } = this.payments.create(random, amountCents);
    const digits = Array.from({ length: 15 }, () => random.below(10)).join('');
    this.bank.shown.put(id, {
      paymentRequestId: id,
      reference: creditorReferenceOf(digits),
      account: SHOWN_IBAN,
      amountCents,
      currency: CURRENCY,
      receivedCents: 0,
    });
    return id;
  }

  today(): string {
    return this.payments.clock.now().toISOString().slice(0, 10);
  }

  /** Writes a file with one statement for each message and account, as after its staging. */
  stage(messages: readonly Message[]): string {
    this.#files += 1;
    const fileId = `file-${this.#files}`;
    for (const [place, message] of messages.entries()) {
      const accounts = [...new Set(message.money.map(({ account }) => account))];
      for (const account of accounts) {
        const own = message.money.filter((each) => each.account === account);
        const statementId = `${fileId}-${place}-${account}`;
        for (const [number, money] of own.entries()) {
          const row = this.#entryOf(message, money, { fileId, statementId, number });
          this.bank.entries.put(row.id, row);
        }
      }
    }
    return fileId;
  }

  #entryOf(
    { kind, isPending = false, leavesOut = null }: Message,
    money: TrueMoney,
    place: { readonly fileId: string; readonly statementId: string; readonly number: number },
  ): EntryRow {
    const { style } = this.truth;
    const isNamed = style === 'ALWAYS' || (style === 'STATEMENT' && kind === 'camt.053');
    const creditorReferences = leavesOut === 'REFERENCES' ? [] : money.references;
    const identity = {
      account: money.account,
      direction: money.direction,
      amountCents: money.amountCents,
      currency: money.currency,
      bookingDate: money.bookingDate,
      creditorReferences,
      endToEndHash: leavesOut === 'END_TO_END' ? null : money.endToEndHash,
      bankReference: isNamed ? bankReferenceOf(money) : null,
      entryReference: null,
      batchReference: null,
    };
    return {
      ...identity,
      id: newId(),
      fileId: place.fileId,
      statementId: place.statementId,
      entryNumber: place.number,
      kind,
      isBooked: !isPending,
      isReversal: false,
      isReturn: money.isReturn,
      returnReason: money.isReturn ? 'AC04' : null,
      isBatchSum: false,
      bookedAt: null,
      refundIds: [],
      institution: null,
      partyBox: null,
      rank: rankOf(identity),
      outcome: null,
      movementId: null,
      feeCents: money.feeCents,
      statedCents: [],
      details: money.isUnclear ? unclearDetailsOf(money) : [],
      messageIds: [],
    };
  }
}

/** Two payments in one entry, of which one has the references; neither states its amount. */
function unclearDetailsOf({ currency, references }: TrueMoney): EntryDetail[] {
  const detail = { amountCents: null, currency };
  return [
    { ...detail, references },
    { ...detail, references: [] },
  ];
}
