import type { Clock } from '#lib/clock.ts';
import { type PaymentRequest, paymentRequestAt } from '#payment-requests/model/payment-request.ts';
import { canExpire } from '#payment-requests/model/statuses.ts';

export interface ChangeWaitDeps {
  readonly clock: Clock;
  /** Asks for a reading, soon; `onRead` or `onFailure` is called with its outcome. */
  readonly read: () => void;
}

export interface ChangeWaitTerms {
  /** The payment request as the call knows it. */
  readonly seen: PaymentRequest;
  readonly forMs: number;
  readonly gone: AbortSignal;
}

/** The wait of one call for a change of one payment request (contract §4, Read). */
export class ChangeWait {
  readonly #deps: ChangeWaitDeps;
  readonly #answer = Promise.withResolvers<PaymentRequest>();
  #terms: ChangeWaitTerms | null = null;
  /** The latest that was read; it may come from before the call's own first look. */
  #latest: PaymentRequest | null = null;
  #isOver = false;
  #expiry: NodeJS.Timeout | undefined;

  constructor(deps: ChangeWaitDeps) {
    this.#deps = deps;
  }

  /**
   * Waits until the payment request is another version than `seen`, `forMs` are over or `gone`.
   *
   * @returns the payment request as it is then
   * @throws  the error of the reading at the end of the wait
   */
  async change(terms: ChangeWaitTerms): Promise<PaymentRequest> {
    this.#terms = terms;
    const { forMs, gone } = terms;
    const end = setTimeout(() => {
      this.#isOver = true;
      this.#deps.read();
    }, forMs);
    const onGone = () => this.close();
    gone.addEventListener('abort', onGone);
    if (gone.aborted) this.close();
    this.#answerChange(terms);
    try {
      return await this.#answer.promise;
    } finally {
      clearTimeout(end);
      clearTimeout(this.#expiry);
      gone.removeEventListener('abort', onGone);
    }
  }

  onRead(found: PaymentRequest): void {
    this.#latest = found;
    if (this.#terms) this.#answerChange(this.#terms);
  }

  onFailure(error: unknown): void {
    if (this.#isOver) this.#answer.reject(error);
  }

  /** Ends the wait with the payment request as it was read last. */
  close(): void {
    if (this.#terms) this.#answer.resolve(this.#newest(this.#terms, this.#deps.clock.now()));
  }

  #answerChange(terms: ChangeWaitTerms): void {
    const now = this.#deps.clock.now();
    const current = this.#newest(terms, now);
    if (this.#isOver || current.version > terms.seen.version) {
      this.#answer.resolve(current);
      return;
    }
    clearTimeout(this.#expiry);
    if (!canExpire(current.status)) return;
    // Nothing reports an expiry in time: the loop writes the expiry up to a second later.
    const inMs = current.expiresAt.getTime() - now.getTime();
    if (inMs <= terms.forMs) this.#expiry = setTimeout(this.#deps.read, Math.max(inMs, 1));
  }

  /** A reading for other calls, during the call's own first look, may be older than that look. */
  #newest({ seen }: ChangeWaitTerms, now: Date): PaymentRequest {
    const latest = this.#latest && paymentRequestAt(this.#latest, now);
    return latest && latest.version >= seen.version ? latest : seen;
  }
}
