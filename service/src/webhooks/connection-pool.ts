import type { TLSSocket } from 'node:tls';
import { Client } from 'undici';
import { codeOf, DeliveryFailure } from './delivery-outcomes.ts';
import { type ConnectNeeds, type ConnectTimes, openJudgedConnection } from './judged-connection.ts';

/** Of an answer, head and body with their framing: 16 KiB each, and one TLS record more. */
const MOST_ANSWER_BYTES = 48 * 1024;
const MOST_HEAD_BYTES = 16 * 1024;
/** Below the 5 s after which common servers close, so that a reused connection is rarely dead. */
const IDLE_MS = 4_000;
/** What a receiver may cost us (webhook-delivery, promise 8). */
const MOST_IDLE_PER_ORIGIN = 8;
/** As many as there are slots; the oldest go first. */
const MOST_IDLE = 1_024;

/** One connection to one origin, used by one exchange at a time. */
export interface PooledConnection {
  readonly origin: string;
  readonly client: Client;
  /** Whether an exchange before this one used it: the other side may have just closed it. */
  readonly reused: boolean;
  /** The address it goes to, once connected. */
  readonly address: () => string | null;
  /** Where the time went until it was connected; empty for one that was kept. */
  readonly connectTimes: () => Readonly<ConnectTimes>;
  /** Whether a byte of an answer has come since it was taken. */
  readonly answering: () => boolean;
}

export interface ConnectionPool {
  /** An idle connection of this origin, or a new one, which is judged when it connects. */
  take(origin: string, options?: { readonly fresh: boolean }): PooledConnection;
  /** Returns a connection whose exchange is over; it is kept for a moment if it is still open. */
  give(connection: PooledConnection): void;
  close(): Promise<void>;
}

interface Entry {
  readonly origin: string;
  readonly client: Client;
  socket: TLSSocket | null;
  address: string | null;
  times: ConnectTimes;
  readAtStart: number;
}

/**
 * Keeps connections to listeners for the next delivery, few and briefly. That an exchange has its
 * connection to itself, instead of a shared pool, shows which address answered and bounds what is
 * read.
 */
export function createConnectionPool(needs: ConnectNeeds): ConnectionPool {
  /** In the order in which they became idle. */
  const idle = new Set<Entry>();
  /** The same by origin, the latest last; an origin without any has no entry. */
  const idleOf = new Map<string, Entry[]>();
  const open = new Set<Entry>();
  const entries = new WeakMap<PooledConnection, Entry>();

  function openEntry(origin: string): Entry {
    const entry: Entry = {
      origin,
      socket: null,
      address: null,
      times: {},
      readAtStart: 0,
      client: new Client(origin, {
        connect: (_options, callback) => {
          openJudgedConnection(needs, origin, entry.times).then(
            (socket) => {
              entry.socket = socket;
              entry.address = socket.remoteAddress ?? null;
              entry.readAtStart = 0;
              callback(null, socket);
              // After undici's own listener: it has then seen what came within the limit.
              socket.on('readable', () => boundReading(entry));
            },
            (error) => callback(plainError(error), null),
          );
        },
        pipelining: 1,
        maxHeaderSize: MOST_HEAD_BYTES,
        // The exchange has one absolute deadline, which a dripping answer cannot push.
        headersTimeout: 0,
        bodyTimeout: 0,
        keepAliveTimeout: IDLE_MS,
        keepAliveMaxTimeout: IDLE_MS,
      }),
    };
    open.add(entry);
    entry.client.on('disconnect', () => {
      if (idle.has(entry)) discard(entry);
    });
    return entry;
  }

  function addIdle(entry: Entry): void {
    idle.add(entry);
    const others = idleOf.get(entry.origin);
    if (others) others.push(entry);
    else idleOf.set(entry.origin, [entry]);
  }

  function removeIdle(entry: Entry): void {
    if (!idle.delete(entry)) return;
    const others = (idleOf.get(entry.origin) ?? []).filter((other) => other !== entry);
    if (others.length > 0) idleOf.set(entry.origin, others);
    else idleOf.delete(entry.origin);
  }

  function discard(entry: Entry): void {
    removeIdle(entry);
    open.delete(entry);
    entry.client.destroy().catch(() => {});
  }

  return {
    take(origin, { fresh } = { fresh: false }) {
      const kept = fresh ? undefined : idleOf.get(origin)?.at(-1);
      const entry = kept ?? openEntry(origin);
      removeIdle(entry);
      entry.readAtStart = entry.socket?.bytesRead ?? 0;
      entry.times = {};
      const connection: PooledConnection = {
        origin,
        client: entry.client,
        reused: kept !== undefined,
        address: () => entry.address,
        connectTimes: () => entry.times,
        answering: () => (entry.socket?.bytesRead ?? 0) > entry.readAtStart,
      };
      entries.set(connection, entry);
      return connection;
    },
    give(connection) {
      const entry = entries.get(connection);
      if (!entry) return;
      entries.delete(connection);
      const usable = entry.socket !== null && !entry.socket.destroyed;
      const isEnough = (idleOf.get(entry.origin)?.length ?? 0) >= MOST_IDLE_PER_ORIGIN;
      if (!usable || isEnough) return discard(entry);
      addIdle(entry);
      const [oldest] = idle;
      if (oldest && idle.size > MOST_IDLE) discard(oldest);
    },
    async close() {
      const clients = [...open].map((entry) => entry.client);
      idle.clear();
      idleOf.clear();
      open.clear();
      await Promise.allSettled(clients.map((client) => client.destroy()));
    },
  };
}

/** Ends a connection whose answer goes on in ways that the limits of head and body do not count. */
function boundReading({ socket, readAtStart }: Entry): void {
  if (socket && socket.bytesRead - readAtStart > MOST_ANSWER_BYTES) {
    socket.destroy(new DeliveryFailure('ANSWER_TOO_LARGE'));
  }
}

/** undici tries again by itself after errors with its own codes; a failed connect is final here. */
function plainError(error: unknown): Error {
  const own = codeOf(error).startsWith('UND_ERR_');
  return error instanceof Error && !own ? error : new DeliveryFailure('UNKNOWN_FAILURE', error);
}
