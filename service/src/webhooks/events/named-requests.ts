/** A claim leases so many deliveries; a notification of so many ids is below 8,000 bytes. */
const MOST_NAMED = 100;

/** Collects the payment requests that may have something to send. */
export class NamedRequests {
  readonly #ids = new Set<string>();
  #isAny = false;

  /** @param ids none: any payment request may */
  add(ids: readonly string[]): void {
    for (const id of ids) this.#ids.add(id);
    this.#isAny ||= ids.length === 0 || this.#ids.size > MOST_NAMED;
    if (this.#isAny) this.#ids.clear();
  }

  /** The ids that were added since the last call; none: any payment request may. */
  take(): readonly string[] {
    const ids = [...this.#ids];
    this.#ids.clear();
    this.#isAny = false;
    return ids;
  }
}
