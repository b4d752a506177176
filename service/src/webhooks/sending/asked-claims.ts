/** The end of a claim. */
export interface ClaimEnd {
  /** Another claim would find something. */
  readonly isMoreDue: boolean;
  /** Nothing is left that another process could send. */
  readonly isAllTaken: boolean;
}

/**
 * Callers that ask the loop for a claim, and wait for its end. A claim under way does not count:
 * its statement may have begun before the caller's commit.
 */
export class AskedClaims {
  readonly #wake: () => void;
  #asked: ((isAllTaken: boolean) => void)[] = [];
  #isOver = false;

  constructor(wake: () => void) {
    this.#wake = wake;
  }

  /** @returns whether the next claim leaves nothing that another process could send */
  ask(): Promise<boolean> {
    if (this.#isOver) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.#asked.push(resolve);
      this.#wake();
    });
  }

  /** Runs a claim for all who have asked. @returns whether another claim would find something */
  async answer(claim: () => Promise<ClaimEnd>): Promise<boolean> {
    const asked = this.#asked;
    this.#asked = [];
    let isAllTaken = false;
    try {
      const end = await claim();
      isAllTaken = end.isAllTaken;
      return end.isMoreDue;
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
