import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '#http/overload/address-limit.ts';
import { releasePermit } from '#http/overload/owed-answers.ts';
import { KeyCounter } from '#lib/key-counter.ts';
import { Problem } from '#lib/problem.ts';

/** A proxy cuts a connection that is silent for 30 s or more. */
const BEAT_MS = 20_000;
/** A stream ends after ten minutes, and the page opens another: none is held for ever. */
const MAX_BEATS = 30;
/** When a browser asks again after a stream ended or broke. */
const RETRY_MS = 3_000;
/** The bound of streams of one process; each takes some 30 KB of memory with its connection. */
const MAX_STREAMS = 10_000;
/** The bound of one address, a household or office; a person has a few pages open. */
const MAX_OF_AN_ADDRESS = 500;
/** A caller that does not read: a beat is 3 bytes. */
const MAX_UNREAD_BYTES = 1_024;
/** Another stream may have ended by then; the page polls meanwhile. */
const STREAM_RETRY_SECONDS = '30';

/** Calls `onChange` at the next change. @returns ends it; null: there is nothing to follow */
export type Follow = (onChange: () => void) => Promise<(() => void) | null>;

/** The streams of server-sent events of one process, bounded in all and by address. */
export class LiveStreams {
  /** With the count of beats that each stream was sent. */
  readonly #streams = new Map<FastifyReply, number>();
  readonly #byAddress = new KeyCounter();
  readonly #beat = setInterval(() => this.#beatAll(), BEAT_MS).unref();
  readonly #maxStreams: number;
  #isClosed = false;

  constructor(maxStreams = MAX_STREAMS) {
    this.#maxStreams = maxStreams;
  }

  /**
   * @returns false where there is nothing to follow; then nothing was answered
   * @throws Problem TEMPORARILY_UNAVAILABLE beyond a bound
   */
  async open(
    { ip, raw: request }: FastifyRequest,
    reply: FastifyReply,
    follow: Follow,
  ): Promise<boolean> {
    const address = networkOf(ip);
    const { raw } = reply;
    const leave = await follow(() => {
      // After the head, also where the change came before the stream.
      setImmediate(() => raw.end('event: changed\ndata: 1\n\n'));
    });
    if (!leave) return false;
    if (this.#isFull(address) || request.socket.destroyed) {
      leave();
      // A browser does not open the stream again after this: the page then polls.
      throw new Problem('TEMPORARILY_UNAVAILABLE', {
        headers: { 'retry-after': STREAM_RETRY_SECONDS },
      });
    }
    this.#add(reply, address, leave);
    // Not earlier: the look-up of an unknown id holds its permit meanwhile.
    releasePermit(raw);
    reply.hijack();
    request.socket.setNoDelay(true);
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream',
      // Some proxies keep an answer until it is complete.
      'x-accel-buffering': 'no',
    });
    raw.write(`retry: ${RETRY_MS}\nevent: ready\ndata: 1\n\n`);
    // A page that opens during a stop opens its stream again at another process.
    if (this.#isClosed) raw.end();
    return true;
  }

  endAll(): void {
    this.#isClosed = true;
    clearInterval(this.#beat);
    for (const { raw } of this.#streams.keys()) raw.end();
  }

  #add(reply: FastifyReply, address: string, leave: () => void): void {
    this.#streams.set(reply, 0);
    this.#byAddress.add(address);
    reply.raw.once('close', () => {
      leave();
      this.#streams.delete(reply);
      this.#byAddress.remove(address);
    });
  }

  #isFull(address: string): boolean {
    const ofAddress = this.#byAddress.count(address);
    return this.#streams.size >= this.#maxStreams || ofAddress >= MAX_OF_AN_ADDRESS;
  }

  #beatAll(): void {
    for (const [reply, beats] of this.#streams) {
      this.#streams.set(reply, beats + 1);
      const { raw } = reply;
      if (raw.writableLength > MAX_UNREAD_BYTES) raw.destroy();
      else if (beats + 1 >= MAX_BEATS) raw.end();
      else raw.write(':\n\n');
    }
  }
}
