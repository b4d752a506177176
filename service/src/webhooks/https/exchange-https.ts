import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
} from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { DeliveryFailure } from '#webhooks/model/outcomes.ts';
import type { Deadline } from './deadline.ts';

/** The most that is read of a body (delivery §1, promise 8); a longer body is cut off. */
const MOST_BODY_BYTES = 16 * 1024;
/** The default of node:http, stated here so that no flag of the process raises it. */
const MOST_HEAD_BYTES = 16 * 1024;
/** Interim answers (1xx), head and body with their framing, and one TLS record more. */
const MOST_ANSWER_BYTES = 48 * 1024;

export interface HttpsCall {
  readonly host: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface HttpsAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The beginning of the body. */
  readonly bytes: Buffer;
  /** The fault after the head; null for a whole answer, and for a body that was cut off. */
  readonly error: unknown;
  /** Whether the connection can carry another exchange. */
  readonly isReusable: boolean;
}

/**
 * Posts once over a connection that stands, and reads the answer within its bounds. Interim answers
 * (1xx) that nobody asked for are skipped (RFC 9110 §15.2), and count among the bytes.
 *
 * @param onHead called when the head of the answer is there
 * @throws what ended the exchange before that head: DeliveryFailure, TIMED_OUT at the deadline, or
 *         what node:http and node:tls throw
 */
export async function exchangeHttps(
  socket: TLSSocket,
  { host, path, headers, body }: HttpsCall,
  { deadline, onHead }: { readonly deadline: Deadline; readonly onHead: () => void },
): Promise<HttpsAnswer> {
  deadline.throwIfOver();
  const bound = boundReading(socket);
  let isFree = false;
  const free = () => {
    isFree = true;
  };
  deadline.holdStep((reason) => socket.destroy(reason));
  socket.once('free', free);
  const post = request({
    createConnection: () => socket,
    method: 'POST',
    path,
    headers: {
      host,
      ...headers,
      'content-length': String(Buffer.byteLength(body)),
      connection: 'keep-alive',
    },
    maxHeaderSize: MOST_HEAD_BYTES,
  });
  post.once('socket', () => socket.on('data', bound));
  let failure: unknown = null;
  post.on('error', (error) => {
    failure ??= error;
  });
  post.end(body);
  try {
    const answer = await headOf(post);
    onHead();
    const end = await readBeginning(answer);
    // `free` comes after the end, where both sides keep the connection; in the same turn, unless
    // the request is still being written.
    if (!isFree) await nextTurn();
    return {
      status: answer.statusCode ?? 0,
      headers: answer.headers,
      bytes: end.bytes,
      error: end.error === null ? null : (failure ?? end.error),
      isReusable: isFree && end.error === null && !socket.destroyed,
    };
  } finally {
    deadline.releaseStep();
    socket.off('free', free);
    socket.off('data', bound);
  }
}

function headOf(post: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    post.once('response', resolve);
    post.once('error', reject);
    // 101 out of turn: the connection speaks something else from here on.
    post.once('upgrade', (_answer, socket) => {
      socket.destroy();
      reject(new DeliveryFailure('MALFORMED_ANSWER'));
    });
    post.once('close', () => reject(new DeliveryFailure('CONNECTION_LOST')));
  });
}

/** Ends a connection whose answer goes on in ways that the limits of head and body do not count. */
function boundReading(socket: TLSSocket): () => void {
  const readAtStart = socket.bytesRead;
  return () => {
    if (socket.bytesRead - readAtStart > MOST_ANSWER_BYTES) {
      socket.destroy(new DeliveryFailure('ANSWER_TOO_LARGE'));
    }
  };
}

/** Reads what may be read of a body; a longer body destroys the connection. */
function readBeginning(answer: IncomingMessage): Promise<{
  readonly bytes: Buffer;
  readonly error: unknown;
}> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let isOver = false;
    const end = (error: unknown) => {
      if (isOver) return;
      isOver = true;
      const [only = NOTHING, ...others] = chunks;
      resolve({ bytes: others.length === 0 ? only : Buffer.concat(chunks), error });
    };
    answer.on('data', (chunk: Buffer) => {
      if (isOver) return;
      chunks.push(chunk);
      length += chunk.length;
      if (length <= MOST_BODY_BYTES) return;
      end(null);
      answer.destroy();
    });
    answer.on('end', () => end(null));
    answer.on('error', end);
    answer.on('close', () => end(new DeliveryFailure('CONNECTION_LOST')));
  });
}

const NOTHING = Buffer.alloc(0);
