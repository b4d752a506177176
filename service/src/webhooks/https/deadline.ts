import { DeliveryFailure } from '#webhooks/model/outcomes.ts';

type Stop = (reason: DeliveryFailure) => void;

/**
 * The end of an exchange's time, DNS included. It stops the step that runs then. An AbortController
 * does the same for five times the CPU, and each delivery has one deadline.
 */
export class Deadline {
  readonly #timer: NodeJS.Timeout;
  #reason: DeliveryFailure | null = null;
  #stop: Stop | null = null;

  constructor(timeoutMs: number) {
    this.#timer = setTimeout(endOf, timeoutMs, this);
  }

  /** @throws DeliveryFailure TIMED_OUT after the end */
  throwIfOver(): void {
    if (this.#reason) throw this.#reason;
  }

  /** Calls `stop` at the end, unless `releaseStep` comes first; there is one step at a time. */
  holdStep(stop: Stop): void {
    this.#stop = stop;
  }

  releaseStep(): void {
    this.#stop = null;
  }

  /** The exchange is over. */
  cancel(): void {
    clearTimeout(this.#timer);
    this.#stop = null;
  }

  end(): void {
    this.#reason = new DeliveryFailure('TIMED_OUT');
    this.#stop?.(this.#reason);
  }
}

function endOf(deadline: Deadline): void {
  deadline.end();
}
