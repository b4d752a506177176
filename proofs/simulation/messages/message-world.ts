import { DatabaseUnavailable } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { MAILER_LIMITS, MailFault, type SendResult } from '#lib/mail/mailer.ts';
import { newId } from '#lib/new-id.ts';
import { createMessageKey } from '#messages/addresses/message-key.ts';
import type { BounceDeps } from '#messages/bounces/apply-report.ts';
import { createMessageHooks, type WriteMessages } from '#messages/outbox/write-messages.ts';
import type { SendMessagesDeps } from '#messages/sending/record-outcome.ts';
import { sendingWork } from '#messages/sending/send-messages.ts';
import type { OutgoingMessage } from '#messages/sending/transport.ts';
import { PAYER_FIELDS } from '#payment-requests/model/fields.ts';
import type { MessagePlan } from '#payment-requests/model/messages/delivery.ts';
import { fromRow } from '#payment-requests/model/row.ts';
import type { Log } from '#telemetry/log/log.ts';
import { channelHandlers } from '../memory/channel-rows.ts';
import { fromJson, Journal } from '../memory/journal.ts';
import type { Handlers } from '../memory/memory-database.ts';
import { MessageRows } from '../memory/message-rows.ts';
import { newPaymentRequestRow, type PaymentRequestRow } from '../memory/payment-request-rows.ts';
import { CURRENCY, MERCHANT, PaymentWorld, QUIET, SETTINGS } from '../payments/payment-world.ts';

export const BOUNCE_DOMAIN = 'bounces.example';
export const ERASED_EMAIL = PAYER_FIELDS.email.erasedTo;
const KEY = { current: Buffer.alloc(32, 7), previous: null };
/** More than a seed sends: the limits have tests of their own. */
const UNLIMITED = 1_000;

/** The parts of an exchange with the mail server, between which anything may happen. */
export type Stage =
  /** The server has greeted; the recipient is not named. */
  | 'CONNECTED'
  /** The last check has passed, and the recipient is named. */
  | 'NAMED'
  /** The server has the whole mail, and its answer is on its way. */
  | 'TAKEN';

export interface Exchange {
  readonly sender: Sender;
  readonly outgoing: OutgoingMessage;
  readonly check: () => Promise<boolean>;
  readonly end: (result: SendResult) => void;
  readonly fail: (error: Error) => void;
  /** The payment request as the sender has read it since the check began. */
  readonly reads: PaymentRequestRow[];
  stage: Stage;
  /** When the bound of the mailer began, by the monotonic counter. */
  boundFromMs: number;
}

export interface Sender {
  readonly name: string;
  readonly work: ReturnType<typeof sendingWork>;
}

/** A mail in the payer's mailbox. */
export interface ReceivedMail {
  readonly messageId: string;
  readonly returnPath: string;
}

/** Two senders of one deployment, a mail server, and payment requests that change meanwhile. */
export class MessageWorld {
  readonly payments: PaymentWorld;
  readonly messages: MessageRows;
  readonly hooks: WriteMessages;
  readonly bounceDeps: BounceDeps;
  readonly exchanges: Exchange[] = [];
  readonly senders: Sender[] = [];
  readonly received: ReceivedMail[] = [];
  /** Mails that the server has, without an answer that the service could record. */
  readonly unrecorded = new Set<string>();
  /** Errors in the background that no fault of the database explains. */
  readonly errors: unknown[] = [];
  #names = 0;

  constructor() {
    const journal = new Journal();
    const clock: Clock = {
      now: () => this.payments.clock.now(),
      steadyMs: () => this.payments.clock.steadyMs(),
    };
    const isSuspended = (id: string) => this.payments.requests.suspended.has(id);
    this.messages = new MessageRows(journal, clock, isSuspended);
    this.hooks = createMessageHooks({ clock, timeZone: 'UTC', delaySeconds: () => 0 });
    const handlers = {
      ...this.messages.handlers(),
      ...channelHandlers(journal, clock),
      ...this.#requestHandlers(),
    };
    this.payments = new PaymentWorld(journal, handlers, null, this.hooks);
    const { db } = this.payments;
    this.bounceDeps = {
      ...{ db, clock, domain: BOUNCE_DOMAIN, move: this.payments.reportDeps },
      metrics: { mailReported() {}, messageEnded() {} },
    };
    this.senders.push(this.#newSender(), this.#newSender());
  }

  /** Payment requests with their link, and what an erasure changes in them. */
  #requestHandlers(): Handlers {
    const find = (ids: readonly string[]) =>
      this.payments.requests.rows.some(ids).map((row) => ({
        ...row,
        link_message: row.delivery_mode === null ? null : this.messages.linkOf(row.id),
      }));
    return {
      'payment-request-find': ([id]) => find([String(id)]),
      'payment-request-find-many': ([ids]) => find(fromJson(ids)),
      'merchant-find': () => [MERCHANT],
      'merchant-profile-find': () => [],
      'payer-erasure-lock': ([ids]) => find(ids as string[]),
      'payer-erasure-erase': ([ids]) => {
        for (const { id, version } of find(ids as string[])) {
          const gone = { payer_name: PAYER_FIELDS.name.erasedTo, payer_email: ERASED_EMAIL };
          this.payments.requests.rows.patch(id, { ...gone, version: version + 1 });
        }
        return [];
      },
      'payer-erasure-erase-comments': () => [],
    };
  }

  /** A payment request whose payer is sent messages. */
  create(asked: {
    readonly amountCents: number;
    readonly openMs: number;
    readonly byEmail: boolean;
    readonly plan: MessagePlan | null;
  }): Promise<PaymentRequestRow> {
    const { clock, db, requests } = this.payments;
    const createdAt = clock.now();
    const row = {
      ...newPaymentRequestRow({
        ...{ id: newId(), merchantId: MERCHANT.id, amountCents: asked.amountCents, createdAt },
        expiresAt: new Date(createdAt.getTime() + asked.openMs),
      }),
      payer_email: `payer${requests.rows.all().length + 1}@example.com`,
      delivery_mode: asked.byEmail ? 'EMAIL' : null,
      message_plan: asked.plan,
    };
    return db.transaction(async (tx) => {
      requests.rows.put(row.id, row);
      const linkMessage = asked.byEmail
        ? { id: newId(), status: 'SCHEDULED' as const, reason: null, at: createdAt }
        : null;
      const created = fromRow({ ...row, link_message: null } as never);
      if (asked.plan) await this.hooks.created(tx, [{ ...created, linkMessage }]);
      return row;
    });
  }

  /** A process that dies loses its exchanges; a mail that was on its way may arrive. */
  kill(sender: Sender, doesArrive: () => boolean): void {
    for (const exchange of this.exchanges.filter((each) => each.sender === sender)) {
      this.exchanges.splice(this.exchanges.indexOf(exchange), 1);
      if (exchange.stage === 'NAMED' && doesArrive()) this.receive(exchange);
      if (exchange.stage === 'TAKEN') this.unrecorded.add(exchange.outgoing.message.id);
    }
    this.senders.splice(this.senders.indexOf(sender), 1, this.#newSender());
  }

  /** The mail server has the whole mail. */
  receive(exchange: Exchange): void {
    const { message, mail } = exchange.outgoing;
    this.received.push({ messageId: message.id, returnPath: mail.returnPath ?? '' });
    exchange.stage = 'TAKEN';
  }

  /** Ends an exchange as the mailer does. */
  end(exchange: Exchange, result: SendResult | Error): void {
    this.exchanges.splice(this.exchanges.indexOf(exchange), 1);
    const isLost = exchange.stage === 'TAKEN' && result !== 'SENT';
    if (isLost) this.unrecorded.add(exchange.outgoing.message.id);
    if (result instanceof Error) exchange.fail(result);
    else exchange.end(result);
  }

  /** The mailer gives an exchange up whose part takes too long. */
  isOverdue({ boundFromMs }: Exchange): boolean {
    return this.payments.clock.steadyMs() - boundFromMs > MAILER_LIMITS.wholeTimeoutMs;
  }

  #newSender(): Sender {
    this.#names += 1;
    const { db, clock, reportDeps } = this.payments;
    const error = (fields: { readonly err?: unknown }) => {
      const { err } = fields;
      if (err !== undefined && !(err instanceof DatabaseUnavailable)) this.errors.push(err);
    };
    const deps: SendMessagesDeps = {
      ...{ clock, move: reportDeps, key: createMessageKey(KEY), ratePerSecond: UNLIMITED },
      db: {
        ...{ listen: () => async () => {}, poolUse: () => db.poolUse(), close: () => db.close() },
        transaction: (work) => db.transaction(work),
        query: async (statement, values) => {
          const rows = await db.query<never>(statement, values);
          if (statement.name === 'payment-request-find') this.#note(sender, rows);
          return rows;
        },
      },
      log: { ...QUIET, error } as unknown as Log,
      metrics: { messageEnded() {}, channelBroken() {}, addressOverloaded() {}, mailReported() {} },
      hourlyLimits: { EMAIL: UNLIMITED, SMS: UNLIMITED },
      settings: {
        ...{ ...SETTINGS, currency: CURRENCY, timeZone: 'UTC', isTest: false },
        ...{ smsCountryCode: '', mailBounceDomain: BOUNCE_DOMAIN, mailFrom: 'pay@pay.example' },
      },
      transports: {
        EMAIL: {
          ...{ hasInbox: false, outcomeOf: () => null },
          send: (outgoing, _signal, check) =>
            new Promise((end, fail) => {
              const boundFromMs = clock.steadyMs();
              const stage = 'CONNECTED';
              this.exchanges.push({
                sender,
                outgoing,
                check,
                end,
                fail,
                reads: [],
                stage,
                boundFromMs,
              });
            }),
        },
      },
    };
    const name = `sender ${this.#names}`;
    const sender: Sender = { name, work: sendingWork(deps, 'EMAIL') };
    return sender;
  }

  #note(sender: Sender, rows: readonly PaymentRequestRow[]): void {
    for (const { sender: own, outgoing, reads } of this.exchanges) {
      const { paymentRequestId } = outgoing.message;
      if (own === sender) reads.push(...rows.filter(({ id }) => id === paymentRequestId));
    }
  }
}

/** The mailer's fault of an exchange. */
export const fault = (kind: MailFault['kind'], reason: string = kind): MailFault =>
  new MailFault(reason, kind, null);
