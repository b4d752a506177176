import type pg from 'pg';

/**
 * A count of looks, not of time: a process that was stopped for a minute has looked once, and the
 * answers that came meanwhile are read before the next look.
 */
const LOOK_MS = 1_000;
/** A server answers the end of a connection at once; a silent one would keep the socket. */
const MOST_LOOKS_AT_END = 5;

/** Watches the connections of one database for a server that does not answer any more. */
export type SilenceWatch = ReturnType<typeof watchSilence>;

/** A connection on which the server was silent. Its statement may have been done. */
export class SilentConnection extends Error {
  readonly code = 'ETIMEDOUT';
  constructor() {
    super('The database did not answer on this connection in time.');
    this.name = 'SilentConnection';
  }
}

interface Line {
  readonly stream: ReturnType<typeof streamOf>;
  /** How many statements were sent, and how many of them the last look saw. */
  sent: number;
  sentAtLook: number;
  /** The looks that a statement may stay without a byte; 0: no statement is under way. */
  mostLooks: number;
  quietLooks: number;
  endingLooks: number;
  bytesRead: number;
  /** The number of the look that last found a new byte from the server. */
  heardAtLook: number;
}

/**
 * Ends connections on which the server is silent. A host that dies, a firewall that forgets a
 * connection and a proxy that hangs send no reset: the kernel waits for 16 minutes or for ever.
 * When one connection is silent, all that were not heard since its statement was sent end too:
 * they lead to the same dead host, and each would cost a caller the whole limit.
 */
export function watchSilence() {
  const lines = new Map<pg.ClientBase, Line>();
  let looks = 0;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    looks += 1;
    let silentSince = -1;
    for (const line of lines.values()) {
      listen(line, looks);
      if (isEndOverdue(line, isClosed)) line.stream.destroy();
      if (line.mostLooks === 0 || line.quietLooks < line.mostLooks) continue;
      silentSince = Math.max(silentSince, looks - line.quietLooks);
      line.stream.destroy(new SilentConnection());
    }
    for (const line of lines.values()) {
      if (line.heardAtLook <= silentSince) line.stream.destroy(new SilentConnection());
    }
  }

  return {
    /** Watches this open connection until it ends. */
    add(client: pg.ClientBase) {
      const stream = streamOf(client);
      const line = { ...NEW_LINE, stream, bytesRead: stream.bytesRead, heardAtLook: looks };
      lines.set(client, line);
      // Sockets keep the process alive, not this timer.
      timer ??= setInterval(look, LOOK_MS).unref();
      client.once('end', () => {
        lines.delete(client);
        if (lines.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      });
    },
    /** A statement was sent: its answer, or a part of it, is due within `limitMs`. */
    asked(client: pg.ClientBase, limitMs: number) {
      const line = lines.get(client);
      if (!line) return;
      line.sent += 1;
      line.mostLooks = Math.ceil(limitMs / LOOK_MS);
    },
    /** The statement's answer is whole. */
    answered(client: pg.ClientBase) {
      const line = lines.get(client);
      if (line) line.mostLooks = 0;
    },
    /** Destroys what does not end within a few seconds. */
    close() {
      isClosed = true;
    },
  };
}

const NEW_LINE = { sent: 0, sentAtLook: 0, mostLooks: 0, quietLooks: 0, endingLooks: 0 };

/** Counts the looks since the statement was sent, or since the server's last byte. */
function listen(line: Line, look: number): void {
  const { bytesRead } = line.stream;
  if (bytesRead !== line.bytesRead) line.heardAtLook = look;
  const isQuiet = bytesRead === line.bytesRead && line.sent === line.sentAtLook;
  line.quietLooks = isQuiet ? line.quietLooks + 1 : 0;
  line.bytesRead = bytesRead;
  line.sentAtLook = line.sent;
}

function isEndOverdue(line: Line, isClosed: boolean): boolean {
  if (!isClosed && !line.stream.writableEnded) return false;
  line.endingLooks += 1;
  return line.endingLooks >= MOST_LOOKS_AT_END && line.mostLooks === 0;
}

function streamOf(client: pg.ClientBase) {
  // Typed for Client only; a pool's client is one too.
  return (client as pg.Client).connection.stream as import('node:net').Socket;
}
