import type { Socket } from 'node:net';

/**
 * The bound of refusals that one turn of the event loop writes: 43 µs each are 3 ms. Without the
 * bound an answer of the database waits until all calls beyond the permits are refused.
 */
const MAX_WRITTEN_PER_TURN = 64;

/** Writes the refusal that a connection waits for. */
const WRITE_REFUSAL = Symbol('write refusal');
type RefusedSocket = Socket & { [WRITE_REFUSAL]?: (() => void) | undefined };

/**
 * Lets each refusal wait for its turn. The connections of calls that wait send nothing more: a
 * caller is slowed down before the calls that are served.
 *
 * @returns adds the refusal of a connection, which waits for no other
 */
export function createRefusalTurns(): (socket: Socket, write: () => void) => void {
  /** First in, first out. */
  const waiting: Socket[] = [];
  let isTurnSet = false;

  function setTurn(): void {
    if (isTurnSet) return;
    isTurnSet = true;
    setImmediate(writeWaiting);
  }
  function writeWaiting(): void {
    isTurnSet = false;
    for (const socket of waiting.splice(0, MAX_WRITTEN_PER_TURN)) writeOwedRefusal(socket);
    if (waiting.length > 0) setTurn();
  }
  return (socket: RefusedSocket, write) => {
    socket[WRITE_REFUSAL] = write;
    waiting.push(socket);
    setTurn();
  };
}

/**
 * Writes the refusal that waits for its turn. To be called before any answer that is written to the
 * connection itself: the caller would read that answer as the refused call's.
 */
export function writeOwedRefusal(socket: RefusedSocket): void {
  const write = socket[WRITE_REFUSAL];
  socket[WRITE_REFUSAL] = undefined;
  write?.();
}
