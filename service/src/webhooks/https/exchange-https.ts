import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { DeliveryFailure } from '#webhooks/model/outcomes.ts';
import { AnswerReader } from './answer-reader.ts';
import type { Deadline } from './deadline.ts';

/**
 * A part is a TLS record: each costs 3 to 4 µs of CPU, and 48 KiB could come in single bytes. An
 * answer of 16 KiB has 4 bytes in each part then.
 */
const MOST_PARTS = 4_096;

/**
 * Writes a request over a connection that stands, and reads the answer within its bounds. The
 * requests and streams of node:http would cost more than TLS (decision 0087).
 *
 * @param request the whole request: its head of ASCII, and its body
 * @param onHead  called when the head of the answer is there
 */
export async function exchangeHttps(
  socket: TLSSocket,
  request: string,
  { deadline, onHead }: { readonly deadline: Deadline; readonly onHead: () => void },
) {
  const readAtStart = socket.bytesRead;
  const reader = new AnswerReader();
  const error = await readAnswer(socket, reader, {
    deadline,
    onHead,
    begin: () => socket.write(request, 'utf8'),
  });
  const isWhole = error === null && reader.isReusable && reader.isWholeAtEnd;
  // In this turn, the rest of the request may be written, and bytes behind the answer may come.
  if (isWhole) await nextTurn();
  return {
    /** null: the exchange ended before the head of the answer was there. */
    head: reader.head,
    /** The beginning of the body. */
    bytes: reader.body,
    /**
     * The fault: DeliveryFailure, or what node:tls throws; null for a whole answer, and for a body
     * that was cut off.
     */
    error,
    /** Whether no byte of the answer came. */
    isSilent: reader.bytesRead === 0,
    /** Whether the connection can carry another exchange. */
    isReusable:
      isWhole &&
      socket.writableLength === 0 &&
      socket.bytesRead - readAtStart === reader.bytesRead &&
      // The listener may have ended the connection in the same turn.
      socket.writable,
  };
}

/** @returns the fault; null without one */
function readAnswer(
  socket: TLSSocket,
  reader: AnswerReader,
  steps: {
    readonly deadline: Deadline;
    readonly onHead: () => void;
    readonly begin: () => void;
  },
): Promise<unknown> {
  return new Promise((resolve) => {
    const { deadline } = steps;
    let parts = 0;
    const end = (error: unknown) => {
      deadline.releaseStep();
      socket.off('data', read);
      socket.off('end', endEarly);
      socket.off('error', end);
      socket.off('close', lose);
      resolve(error);
    };
    const read = (chunk: Buffer) => {
      const isHeadAwaited = reader.head === null;
      let isOver = false;
      let error: unknown = null;
      try {
        isOver = reader.read(chunk);
      } catch (fault) {
        error = fault;
      }
      if (isHeadAwaited && reader.head !== null) steps.onHead();
      parts += 1;
      if (!isOver && parts >= MOST_PARTS) {
        // A body that is too long is cut off, too.
        if (reader.head === null) error ??= new DeliveryFailure('ANSWER_TOO_LARGE');
        else isOver = true;
      }
      if (isOver || error !== null) end(error);
    };
    const lose = () => end(new DeliveryFailure('CONNECTION_LOST'));
    const endEarly = () => (reader.isWholeAtEnd ? end(null) : lose());
    socket.on('data', read);
    socket.on('end', endEarly);
    socket.on('error', end);
    socket.on('close', lose);
    deadline.holdStep(end);
    if (!socket.writable) lose();
    else steps.begin();
  });
}
