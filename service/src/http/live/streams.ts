import type { FastifyReply, FastifyRequest } from 'fastify';
import { AnswerWriter } from '#http/answers/answer-writer.ts';
import { networkOf } from '#http/overload/address-limit.ts';
import { releasePermit } from '#http/overload/pending-responses.ts';
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

const READY = `retry: ${RETRY_MS}\nevent: ready\ndata: 1\n\n`;
const CHANGED = 'event: changed\ndata: 1\n\n';
const BEAT = ':\n\n';

/** Calls `onChange` at the next change. @returns ends it; null: there is nothing to follow */
export type Follow = (onChange: () => void) => Promise<(() => void) | null>;

/** A bound beside those of the process and the address, as the streams of one session. */
export interface StreamBound {
  /** The holder of the streams, as `session 0190…`. */
  readonly key: string;
  readonly max: number;
}

interface OpenStream {
  readonly writer: AnswerWriter;
  readonly keys: readonly string[];
  beats: number;
}

/** The streams of server-sent events of one process, bounded in all and by their holders. */
export class LiveStreams {
  readonly #streams = new Set<OpenStream>();
  readonly #byKey = new KeyCounter();
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
    ownBounds: readonly StreamBound[],
  ): Promise<boolean> {
    const bounds = [...ownBounds, { key: `address ${networkOf(ip)}`, max: MAX_OF_AN_ADDRESS }];
    this.#refuseBeyond(bounds);
    // The change may come before the stream begins.
    let hasChanged = false;
    let writer: AnswerWriter | null = null;
    const leave = await follow(() => {
      hasChanged = true;
      writer?.end(CHANGED);
    });
    if (!leave) return false;
    try {
      this.#refuseBeyond(bounds);
    } catch (refusal) {
      leave();
      throw refusal;
    }
    // Not earlier: the look-up of an unknown id holds its permit meanwhile.
    releasePermit(reply.raw);
    writer = AnswerWriter.takeOver(reply, 200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream',
      // Some proxies keep an answer until it is complete.
      'x-accel-buffering': 'no',
    });
    if (!writer) {
      leave();
      return true;
    }
    request.socket.setNoDelay(true);
    this.#add(writer, bounds, leave);
    writer.write(READY);
    // A page that opens during a stop opens its stream again at another process.
    if (hasChanged) writer.end(CHANGED);
    else if (this.#isClosed) writer.end();
    return true;
  }

  /** The keys that begin with a prefix and hold streams, without the prefix. */
  holders(prefix: string): string[] {
    const keys = [...this.#byKey.keysFrom(1)].filter((key) => key.startsWith(prefix));
    return keys.map((key) => key.slice(prefix.length));
  }

  /** Ends the streams of one holder. */
  endOf(key: string): void {
    for (const { keys, writer } of this.#streams) if (keys.includes(key)) writer.end();
  }

  endAll(): void {
    this.#isClosed = true;
    clearInterval(this.#beat);
    for (const { writer } of this.#streams) writer.end();
  }

  #add(writer: AnswerWriter, bounds: readonly StreamBound[], leave: () => void): void {
    const stream = { writer, keys: bounds.map(({ key }) => key), beats: 0 };
    this.#streams.add(stream);
    for (const key of stream.keys) this.#byKey.add(key);
    writer.onClose(() => {
      leave();
      this.#streams.delete(stream);
      for (const key of stream.keys) this.#byKey.remove(key);
    });
  }

  /** A browser does not open the stream again after this refusal: the page then polls. */
  #refuseBeyond(bounds: readonly StreamBound[]): void {
    const isFull = bounds.some(({ key, max }) => this.#byKey.count(key) >= max);
    if (!isFull && this.#streams.size < this.#maxStreams) return;
    throw new Problem('TEMPORARILY_UNAVAILABLE', {
      headers: { 'retry-after': STREAM_RETRY_SECONDS },
    });
  }

  #beatAll(): void {
    for (const stream of this.#streams) {
      const { writer } = stream;
      stream.beats += 1;
      if (writer.unreadBytes > MAX_UNREAD_BYTES) writer.destroy();
      else if (stream.beats >= MAX_BEATS) writer.end();
      else writer.write(BEAT);
    }
  }
}
