import { DeliveryFailure } from '#webhooks/model/outcomes.ts';
import { type AnswerHead, CRLF, readAnswerHead, readStatusLine } from './answer-head.ts';

/** The most that is read of a body (delivery §1, promise 8); a longer body is cut off. */
const MOST_BODY_BYTES = 16 * 1024;
/** A head, the line of a chunk, or the line of a trailer: as much as node:http reads of a head. */
const MOST_HEAD_BYTES = 16 * 1024;
/** Interim answers (1xx), head and body with their framing, and one TLS record more. */
const MOST_ANSWER_BYTES = 48 * 1024;

const LF = 0x0a;
const HEAD_END = Buffer.from('\r\n\r\n');
const LINE_END = Buffer.from(CRLF);
const BEGINNING = 'HTTP/1.';
/** RFC 9112 §7.1, with extensions, which nobody reads; more digits would exceed every bound. */
const CHUNK_LINE = /^([0-9a-f]{1,8})(?:;[\t\x20-\x7e\x80-\xff]*)?$/i;
/** RFC 9112 §5: a line of a trailer. */
const TRAILER_LINE = /^[!#$%&'*+\-.^_`|~0-9a-z]+:[\t\x20-\x7e\x80-\xff]*$/i;

const NOTHING = Buffer.alloc(0);
/** A buffer takes some 300 bytes beside its own: a body in bytes would take 5 MB. */
const MOST_PIECES = 256;
/** The step needs more bytes. */
const WAITS = -1;

type Step =
  | 'HEAD'
  | 'LENGTH'
  | 'TO_END'
  | 'CHUNK_LINE'
  | 'CHUNK'
  | 'CHUNK_END'
  | 'TRAILERS'
  | 'OVER';

/**
 * Reads one answer of HTTP/1.1 as its bytes come, strictly and within bounds (RFC 9112). Interim
 * answers (1xx) that nobody asked for are skipped (RFC 9110 §15.2), and count among the bytes.
 */
export class AnswerReader {
  /** null: the head has not come whole. */
  head: AnswerHead | null = null;
  /** Counts the answer so far, with all that frames it. */
  bytesRead = 0;
  /** Whether the connection can carry another answer; known when this answer is over. */
  isReusable = false;
  #step: Step = 'HEAD';
  /** The bytes that the body or the chunk still needs. */
  #left = 0;
  /** The bytes that no step could read yet, at most 16 KiB. */
  #unread: Buffer = NOTHING;
  /** Holds `#unread` with room behind it: an answer in single bytes is not copied at each byte. */
  #space: Buffer = NOTHING;
  /** The bytes of `#space` that are taken; `#unread` is their end. */
  #taken = 0;
  /** A line end before this place was found or is not there: each byte is searched once. */
  #searchFrom = 0;
  #isFirstLineRead = false;
  #body: Buffer[] = [];
  #bodyLength = 0;

  /** The beginning of the body. */
  get body(): Buffer {
    const [only = NOTHING, ...others] = this.#body;
    return others.length === 0 ? only : Buffer.concat(this.#body);
  }

  /** Whether the answer is whole when the connection ends now. */
  get isWholeAtEnd(): boolean {
    return this.#step === 'TO_END' || this.#step === 'OVER';
  }

  /**
   * @returns whether the answer is over: whole, or with a body that was cut off
   * @throws DeliveryFailure MALFORMED_ANSWER or ANSWER_TOO_LARGE
   */
  read(chunk: Buffer): boolean {
    this.bytesRead += chunk.length;
    const bytes = this.#joined(chunk);
    this.#searchFrom = Math.max(0, this.#unread.length - HEAD_END.length + 1);
    let at = 0;
    while (this.#step !== 'OVER') {
      const next = this.#run(bytes, at);
      if (next === WAITS) break;
      at = next;
    }
    if (this.#step === 'OVER') {
      // A byte that no request asked for would be read as the next answer.
      this.isReusable &&= at === bytes.length;
      return true;
    }
    this.#unread = at === bytes.length ? NOTHING : bytes.subarray(at);
    const isTooLong = this.#unread.length > MOST_HEAD_BYTES || this.bytesRead > MOST_ANSWER_BYTES;
    if (isTooLong) throw new DeliveryFailure('ANSWER_TOO_LARGE');
    return false;
  }

  /** `#unread` with `chunk` behind it; bytes that the body may hold are not written over. */
  #joined(chunk: Buffer): Buffer {
    const { length } = this.#unread;
    if (length === 0) {
      // Bytes of this chunk that no step can read yet are not in `#space`.
      this.#space = NOTHING;
      this.#taken = 0;
      return chunk;
    }
    if (this.#taken + chunk.length > this.#space.length) {
      this.#space = Buffer.allocUnsafe(2 * (length + chunk.length));
      this.#unread.copy(this.#space);
      this.#taken = length;
    }
    chunk.copy(this.#space, this.#taken);
    this.#taken += chunk.length;
    return this.#space.subarray(this.#taken - length - chunk.length, this.#taken);
  }

  #run(bytes: Buffer, at: number): number {
    switch (this.#step) {
      case 'HEAD':
        return this.#readHead(bytes, at);
      case 'CHUNK_LINE':
        return this.#readChunkLine(bytes, at);
      case 'CHUNK_END':
        return this.#readChunkEnd(bytes, at);
      case 'TRAILERS':
        return this.#readTrailer(bytes, at);
      default:
        return this.#readBody(bytes, at);
    }
  }

  #readHead(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(HEAD_END, Math.max(at, this.#searchFrom));
    if (end === -1) {
      if (!this.#isFirstLineRead) this.#checkBeginning(bytes, at);
      return WAITS;
    }
    this.#isFirstLineRead = false;
    if (end - at > MOST_HEAD_BYTES) throw new DeliveryFailure('ANSWER_TOO_LARGE');
    const head = readAnswerHead(bytes.toString('latin1', at, end));
    const isInterim = head.status < 200;
    if (!isInterim) this.#begin(head);
    return end + HEAD_END.length;
  }

  #begin(head: AnswerHead): void {
    this.head = head;
    const { length, isChunked } = head;
    this.isReusable = head.isPersistent && (isChunked || length !== null);
    if (isChunked) this.#step = 'CHUNK_LINE';
    else if (length === null) this.#step = 'TO_END';
    else this.#step = length === 0 ? 'OVER' : 'LENGTH';
    this.#left = length ?? 0;
  }

  #readBody(bytes: Buffer, at: number): number {
    if (at === bytes.length) return WAITS;
    const isCounted = this.#step !== 'TO_END';
    const end = isCounted ? Math.min(bytes.length, at + this.#left) : bytes.length;
    this.#body.push(bytes.subarray(at, end));
    if (this.#body.length === MOST_PIECES) this.#body = [this.body];
    this.#bodyLength += end - at;
    this.#left -= end - at;
    if (this.#bodyLength > MOST_BODY_BYTES) {
      this.isReusable = false;
      this.#step = 'OVER';
    } else if (isCounted && this.#left === 0) {
      this.#step = this.#step === 'CHUNK' ? 'CHUNK_END' : 'OVER';
    }
    return end;
  }

  #readChunkLine(bytes: Buffer, at: number): number {
    const line = this.#lineAt(bytes, at);
    if (line === null) return WAITS;
    const size = CHUNK_LINE.exec(line)?.[1];
    if (size === undefined) throw new DeliveryFailure('MALFORMED_ANSWER');
    this.#left = Number.parseInt(size, 16);
    this.#step = this.#left === 0 ? 'TRAILERS' : 'CHUNK';
    return at + line.length + LINE_END.length;
  }

  #readChunkEnd(bytes: Buffer, at: number): number {
    if (bytes.length - at < LINE_END.length) return WAITS;
    if (this.#lineAt(bytes, at) !== '') throw new DeliveryFailure('MALFORMED_ANSWER');
    this.#step = 'CHUNK_LINE';
    return at + LINE_END.length;
  }

  #readTrailer(bytes: Buffer, at: number): number {
    const line = this.#lineAt(bytes, at);
    if (line === null) return WAITS;
    if (line === '') this.#step = 'OVER';
    else if (!TRAILER_LINE.test(line)) throw new DeliveryFailure('MALFORMED_ANSWER');
    return at + line.length + LINE_END.length;
  }

  /** @returns null when the line has not come whole */
  #lineAt(bytes: Buffer, at: number): string | null {
    const end = bytes.indexOf(LINE_END, Math.max(at, this.#searchFrom));
    if (end === -1) return null;
    if (end - at > MOST_HEAD_BYTES) throw new DeliveryFailure('ANSWER_TOO_LARGE');
    return bytes.toString('latin1', at, end);
  }

  /** The first line shows that a peer does not speak HTTP; such a peer may never send more. */
  #checkBeginning(bytes: Buffer, at: number): void {
    const beginning = bytes.toString('latin1', at, Math.min(bytes.length, at + BEGINNING.length));
    if (!BEGINNING.startsWith(beginning)) throw new DeliveryFailure('MALFORMED_ANSWER');
    const end = bytes.indexOf(LF, Math.max(at, this.#searchFrom));
    if (end === -1) return;
    // A line that ends without CR has no end for the pattern of a status line.
    readStatusLine(bytes.toString('latin1', at, end + 1).replace(/\r\n$/, ''));
    this.#isFirstLineRead = true;
  }
}
