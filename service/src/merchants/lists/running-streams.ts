import type { Readable } from 'node:stream';

/** The streams that are being sent. */
export class RunningStreams {
  readonly #running = new Map<Readable, Promise<void>>();

  /** @param end gives the stream's lease back */
  watch(stream: Readable, end: () => Promise<void>): void {
    const over = new Promise((resolve) => stream.once('close', resolve))
      .then(end)
      // A lease that cannot be given back expires.
      .catch(() => {})
      .then(() => void this.#running.delete(stream));
    this.#running.set(stream, over);
  }

  /** Destroys the streams, so that their readers see that the list is incomplete. */
  async stop(): Promise<void> {
    for (const stream of this.#running.keys()) stream.destroy(new Error('the service stops'));
    await Promise.all(this.#running.values());
  }
}
