import { KeyCounter } from './key-counter.ts';
import { Problem } from './problem.ts';

/** Contract §4, Read: the calls of a merchant that wait. Each holds a socket and a timer. */
const MAX_OF_A_MERCHANT = 50;
/** A wait lasts up to 30 s, so that another call may wait soon. */
const RETRY_AFTER_SECONDS = '1';

/** Bounds the calls of each merchant that wait for something. */
export class WaitingCalls {
  readonly #waiting = new KeyCounter();

  /**
   * Counts a call that begins to wait.
   * @throws Problem RATE_LIMITED when 50 calls of the merchant wait.
   */
  add(merchantId: string): void {
    if (this.#waiting.count(merchantId) >= MAX_OF_A_MERCHANT) {
      throw new Problem('RATE_LIMITED', {
        detail: `${MAX_OF_A_MERCHANT} calls of a merchant wait already; ask without waitSeconds.`,
        headers: { 'retry-after': RETRY_AFTER_SECONDS },
      });
    }
    this.#waiting.add(merchantId);
  }

  /** Counts a call that has ended. */
  remove(merchantId: string): void {
    this.#waiting.remove(merchantId);
  }
}
