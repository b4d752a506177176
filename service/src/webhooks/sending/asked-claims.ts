import { NamedRequests } from '#webhooks/events/named-requests.ts';

/** The end of a claim. */
export interface ClaimEnd {
  /** Another claim would find something. */
  readonly isMoreDue: boolean;
  /** Nothing is left that another process could send. */
  readonly isAllTaken: boolean;
}

/**
 * Callers that ask the loop for a claim. Some wait for its end: a claim under way does not count,
 * because its statement may have begun before the caller's commit.
 */
export class AskedClaims {
  readonly #wake: () => void;
  readonly #named = new NamedRequests();
  #asked: ((isAllTaken: boolean) => void)[] = [];
  #isOver = false;

  constructor(wake: () => void) {
    this.#wake = wake;
  }

  /** Wakes the loop; without payment requests any delivery may be due. */
  wake(paymentRequestIds: readonly string[] = []): void {
    this.#named.add(paymentRequestIds);
    this.#wake();
  }

  /** @returns whether the next claim leaves nothing that another process could send */
  ask(paymentRequestIds: readonly string[]): Promise<boolean> {
    if (this.#isOver) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.#asked.push(resolve);
      this.wake(paymentRequestIds);
    });
  }

  /** Runs a claim for all who have asked. @returns whether another claim would find something */
  async answer(claim: (named: readonly string[]) => Promise<ClaimEnd>): Promise<boolean> {
    const asked = this.#asked;
    this.#asked = [];
    let isAllTaken = false;
    try {
      const end = await claim(this.#named.take());
      isAllTaken = end.isAllTaken;
      if (end.isMoreDue) this.#named.add([]);
      return end.isMoreDue;
    } catch (error) {
      // The named ones may have more due by now, and the next claim looks for everything.
      this.#named.add([]);
      throw error;
    } finally {
      for (const tell of asked) tell(isAllTaken);
    }
  }

  /** No claim follows: others are to send what is due. */
  refuse(): void {
    this.#isOver = true;
    for (const tell of this.#asked) tell(false);
    this.#asked = [];
  }
}
