import type { Clock } from '#lib/clock.ts';
import { MESSAGE_KINDS } from '#messages/model/kinds.ts';
import type { ClaimedMessage, MessageAttempt, NewMessage } from '#messages/model/message.ts';
import type { Suppression } from '#messages/model/suppression.ts';
import type {
  MessageReason,
  MessageStatus,
} from '#payment-requests/model/messages/link-message.ts';
import { fromJson, type Journal, Table, unnest } from './journal.ts';
import type { Handlers } from './memory-database.ts';

export interface MessageRow extends Omit<NewMessage, 'firstAttemptAt'> {
  readonly priority: number;
  readonly status: MessageStatus;
  readonly reason: MessageReason | null;
  readonly nextAttemptAt: Date | null;
  readonly attempts: number;
  readonly attemptLog: readonly MessageAttempt[];
  readonly leaseToken: string | null;
  readonly leasedUntil: Date | null;
  readonly namedAt: Date | null;
  readonly addressHash: Buffer | null;
  readonly bounceHash: Buffer | null;
  readonly sentAt: Date | null;
  readonly endedAt: Date | null;
}

const NEW = [
  ...(['id', 'paymentRequestId', 'merchantId', 'kind', 'number', 'refundId'] as const),
  ...(['channel', 'isAsked', 'dueAt', 'nextAttemptAt', 'priority'] as const),
] as const satisfies readonly (keyof MessageRow)[];

const FIRST = {
  ...{ status: 'SCHEDULED', reason: null, attempts: 0, attemptLog: [] },
  ...{ leaseToken: null, leasedUntil: null, namedAt: null },
  ...{ addressHash: null, bounceHash: null, sentAt: null, endedAt: null },
} as const;

const DAY_SECONDS = 86_400;
const BOUNCE_DAYS = 14;

const bytesEqual = (one: Buffer | null, other: unknown): boolean =>
  one?.equals(other as Buffer) ?? false;

/** The tables of messages to payers, with the models of messages/. */
export class MessageRows {
  readonly rows: Table<MessageRow>;
  readonly suppressions: Table<{ readonly reason: Suppression; readonly hash: Buffer }>;
  readonly #clock: Clock;
  readonly #isSuspended: (merchantId: string) => boolean;
  #key: Buffer | null = null;

  constructor(journal: Journal, clock: Clock, isSuspended: (merchantId: string) => boolean) {
    this.rows = new Table(journal);
    this.suppressions = new Table(journal);
    this.#clock = clock;
    this.#isSuspended = isSuspended;
  }

  of(paymentRequestId: string): MessageRow[] {
    return this.rows.where((row) => row.paymentRequestId === paymentRequestId);
  }

  isLeased({ leasedUntil }: MessageRow): boolean {
    return leasedUntil !== null && leasedUntil > this.#clock.now();
  }

  isAnyDue(): boolean {
    return this.#due().length > 0;
  }

  /** The latest message with the link, as the statements that find a payment request join it. */
  linkOf(paymentRequestId: string): unknown {
    const [link] = this.of(paymentRequestId).filter(({ kind }) => kind === 'REQUEST');
    if (!link) return null;
    const { id, status, reason, endedAt, sentAt, dueAt } = link;
    return [id, status, reason, (endedAt ?? sentAt ?? dueAt).getTime()];
  }

  handlers(): Handlers {
    return { ...this.#outbox(), ...this.#sending(), ...this.#bounces() };
  }

  /** The models of outbox/ and sending/taken-back-store.ts. */
  #outbox(): Handlers {
    return {
      'message-insert': (values) => this.#insert(unnest<MessageRow>(values, NEW)),
      'message-cancel-asking': ([ids]) =>
        this.#cancel(
          ids,
          (row) => MESSAGE_KINDS[row.kind].asksForMoney && !this.isLeased(row),
          'NO_LONGER_TRUE',
        ),
      'message-erasure-cancel': ([ids]) => this.#cancel(ids, () => true, 'NO_ADDRESS'),
      'message-erasure-empty-inbox': () => [],
      'message-find-link-channel': ([id]) =>
        this.of(String(id))
          .filter((row) => row.kind === 'REQUEST' && this.#isGone(row))
          .map(({ channel }) => ({ channel })),
      'message-find-receipted-refunds': ([ids]) =>
        this.rows
          .where(({ kind, refundId }) => kind === 'REFUND_RECEIPT' && isIn(ids, refundId))
          .filter((row) => this.#isGone(row))
          .map(({ refundId }) => ({ id: refundId })),
      'message-find-earlier': ([id, kind, refundId]) =>
        this.of(String(id))
          .filter((row) => row.kind === kind && row.refundId === refundId)
          .map((row) => ({ hasLeft: row.sentAt !== null, isLeaving: this.isLeased(row) })),
    };
  }

  /** The models of claim-store.ts, address-limit-store.ts, record-store.ts and key-store.ts. */
  #sending(): Handlers {
    return {
      'message-any-due': () => this.#due().slice(0, 1),
      'message-claim': ([, limit, token, seconds]) => this.#claim(limit, token, seconds),
      'message-extend-lease': ([id, token, seconds, addressHash, bounceHash]) => {
        const row = this.rows.get(String(id));
        if (!row || row.leaseToken !== token || !this.isLeased(row)) return [];
        this.rows.patch(row.id, {
          leasedUntil: this.#in(seconds),
          addressHash: addressHash as Buffer,
          bounceHash: bounceHash as Buffer | null,
          namedAt: this.#clock.now(),
        });
        return [{}];
      },
      'message-record': (values) => this.#record(values),
      'message-lock-address': () => [],
      'message-address-load': ([id, , hash, most]) => [this.#load(id, hash, Number(most))],
      'message-find-address-key': () => [{ keyEncrypted: this.#key }],
      'message-insert-address-key': ([key]) => {
        this.#key ??= key as Buffer;
        return [];
      },
    };
  }

  /** The models of bounces/ and refusal/suppression-store.ts. */
  #bounces(): Handlers {
    const find = (token: unknown) =>
      this.rows.where(({ bounceHash }) => bytesEqual(bounceHash, token));
    return {
      'message-find-by-bounce-token': ([token]) =>
        find(token).filter(
          ({ status, sentAt }) =>
            (status === 'SCHEDULED' || status === 'SENT') &&
            (sentAt === null || sentAt > this.#ago(BOUNCE_DAYS * DAY_SECONDS)),
        ),
      'message-note-report': ([id, attempt]) => {
        const row = this.rows.get(String(id));
        if (row) this.rows.patch(row.id, { attemptLog: logged(row, attempt) });
        return [];
      },
      'message-mark-bounced': ([id, token, attempt]) =>
        find(token)
          .filter((row) => row.id === id && row.status === 'SENT')
          .map((row) => ({
            ...this.rows.patch(row.id, {
              ...{ status: 'BOUNCED', reason: row.reason ?? 'BOUNCED', bounceHash: null },
              ...{ endedAt: this.#clock.now(), attemptLog: logged(row, attempt) },
            }),
          })),
      'message-find-suppressions': ([, , hash]) =>
        this.suppressions
          .where((row) => bytesEqual(row.hash, hash))
          .map(({ reason }) => ({ reason })),
      'message-insert-suppression': ([, , hash, reason]) => {
        const bytes = hash as Buffer;
        const row = { reason: reason as Suppression, hash: bytes };
        this.suppressions.put(`${bytes.toString('hex')} ${reason}`, row);
        return [{}];
      },
    };
  }

  #insert(messages: readonly MessageRow[]): [] {
    for (const row of messages) {
      const isThere = this.of(row.paymentRequestId).some(
        (each) =>
          each.kind === row.kind && each.number === row.number && each.refundId === row.refundId,
      );
      if (!isThere) this.rows.put(row.id, { ...FIRST, ...row });
    }
    return [];
  }

  #cancel(ids: unknown, isMeant: (row: MessageRow) => boolean, reason: MessageReason): object[] {
    const found = this.rows.where(
      (row) => isIn(ids, row.paymentRequestId) && row.status === 'SCHEDULED' && isMeant(row),
    );
    return found.map(({ id }) => {
      const endedAt = this.#clock.now();
      const over = { nextAttemptAt: null, leaseToken: null, leasedUntil: null, endedAt };
      this.rows.patch(id, { status: 'CANCELLED', reason, ...over });
      return { id, endedAt };
    });
  }

  /** It has left, or is leaving. */
  #isGone(row: MessageRow): boolean {
    return row.sentAt !== null || this.isLeased(row);
  }

  #due(): MessageRow[] {
    const now = this.#clock.now();
    return this.rows
      .where(
        (row) =>
          row.nextAttemptAt !== null &&
          row.nextAttemptAt <= now &&
          !this.isLeased(row) &&
          !(MESSAGE_KINDS[row.kind].asksForMoney && this.#isSuspended(row.merchantId)),
      )
      .sort(
        (one, other) =>
          one.priority - other.priority ||
          (one.nextAttemptAt?.getTime() ?? 0) - (other.nextAttemptAt?.getTime() ?? 0),
      );
  }

  #claim(limit: unknown, token: unknown, seconds: unknown): ClaimedMessage[] {
    const claimed = this.#due().slice(0, Number(limit));
    return claimed.map((row) => {
      const [first] = row.attemptLog;
      const attempts = row.attempts + 1;
      const leasedUntil = this.#in(seconds);
      this.rows.patch(row.id, { leaseToken: String(token), leasedUntil, attempts, namedAt: null });
      const triedSince = first ? new Date(first.endDateTime) : this.#clock.now();
      return { ...row, attempts, triedSince };
    });
  }

  #record(values: readonly unknown[]): object[] {
    const [id, token, status, reason, waitSeconds, attempt, hasLeft, hash] = values;
    const row = this.rows.get(String(id));
    if (!row || row.leaseToken !== token) return [];
    const now = this.#clock.now();
    const waited = this.#in(waitSeconds);
    const next = new Date(Math.max(waited.getTime(), row.dueAt.getTime()));
    const ended = (status ?? row.status) as MessageStatus;
    this.rows.patch(row.id, {
      ...{ status: ended, reason: reason as MessageReason | null },
      ...{ nextAttemptAt: status === null ? next : null, leaseToken: null, leasedUntil: null },
      attemptLog: logged(row, attempt === null ? null : fromJson(attempt)),
      attempts: row.attempts - (attempt === null ? 1 : 0),
      sentAt: hasLeft ? now : null,
      endedAt: status !== null && status !== 'SENT' ? now : null,
      addressHash: (hash ?? row.addressHash) as Buffer | null,
    });
    return [{}];
  }

  #load(id: unknown, hash: unknown, most: number): object {
    const dayAgo = this.#ago(DAY_SECONDS);
    const ofAddress = this.rows.where(({ addressHash }) => bytesEqual(addressHash, hash));
    const sent = ofAddress
      .flatMap(({ sentAt }) => (sentAt !== null && sentAt > dayAgo ? sentAt.getTime() : []))
      .sort((one, other) => other - one);
    const leaving = ofAddress.filter(
      (row) => row.id !== id && row.namedAt !== null && this.isLeased(row),
    ).length;
    const oldest = sent[most - 1];
    const waitSeconds = oldest === undefined ? null : (oldest - dayAgo.getTime()) / 1_000;
    return { own: sent.length, leaving, all: sent.length + leaving, waitSeconds };
  }

  #in(seconds: unknown): Date {
    return new Date(this.#clock.now().getTime() + Number(seconds) * 1_000);
  }

  #ago(seconds: number): Date {
    return this.#in(-seconds);
  }
}

const isIn = (ids: unknown, id: string | null): boolean =>
  id !== null && (ids as readonly string[]).includes(id);

const logged = (row: MessageRow, attempt: unknown): readonly MessageAttempt[] =>
  attempt === null ? row.attemptLog : [...row.attemptLog, attempt as MessageAttempt];
