import type { TLSSocket } from 'node:tls';
import { type ConnectNeeds, type ConnectTimes, openJudgedConnection } from './vetted-connection.ts';

/** Below the 5 s after which common servers close, so that a reused connection is rarely dead. */
const IDLE_MS = 4_000;
/** What a receiver may cost us (delivery §1, promise 8). */
const MOST_IDLE_PER_ORIGIN = 8;
/** As many as there are slots; the oldest go first. */
const MOST_IDLE = 1_024;

/** One connection to one origin, used by one exchange at a time. */
export interface PooledConnection {
  readonly origin: string;
  readonly socket: TLSSocket;
  /** Whether an exchange before this one used it: the other side may have just closed it. */
  readonly isReused: boolean;
  /** The address it goes to. */
  readonly address: string | null;
}

export interface ConnectionPool {
  /**
   * An idle connection of this origin, or a new one, which is judged now.
   *
   * @param times  filled in on the way to a new connection, also to one that fails
   * @param signal ends the wait; a connection that is made afterwards is destroyed
   * @throws what `openJudgedConnection` throws, and the signal's reason
   */
  take(
    origin: string,
    options: {
      readonly times: ConnectTimes;
      readonly signal: AbortSignal;
      readonly isFresh?: boolean;
    },
  ): Promise<PooledConnection>;
  /** Returns a connection whose exchange is over: it is kept for a moment, or destroyed. */
  give(connection: PooledConnection, isReusable: boolean): void;
  close(): void;
}

interface Idle {
  readonly origin: string;
  readonly socket: TLSSocket;
  /** Stops watching. */
  readonly forget: () => void;
}

/**
 * Keeps connections to listeners for the next delivery, few and briefly. An exchange has its
 * connection to itself: that shows which address answered, and bounds what is read.
 */
export function createConnectionPool(needs: ConnectNeeds): ConnectionPool {
  /** In the order in which they became idle. */
  const idle = new Set<Idle>();
  /** By origin, the latest last; an origin without any has no entry. */
  const idleOf = new Map<string, Idle[]>();
  const open = new Set<TLSSocket>();
  let isClosed = false;

  async function openNew(origin: string, times: ConnectTimes, signal: AbortSignal) {
    const opening = openJudgedConnection(needs, origin, times);
    const stopped = Promise.withResolvers<never>();
    const stop = () => stopped.reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    try {
      const socket = await Promise.race([opening, stopped.promise]);
      if (isClosed) socket.destroy();
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      return socket;
    } catch (error) {
      opening.then(
        (socket) => socket.destroy(),
        () => {},
      );
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  function remove(entry: Idle): void {
    entry.forget();
    idle.delete(entry);
    const others = (idleOf.get(entry.origin) ?? []).filter((other) => other !== entry);
    if (others.length > 0) idleOf.set(entry.origin, others);
    else idleOf.delete(entry.origin);
  }

  function discard(entry: Idle): void {
    remove(entry);
    entry.socket.destroy();
  }

  function keep(origin: string, socket: TLSSocket): void {
    const end = () => discard(entry);
    const timer = setTimeout(end, IDLE_MS).unref();
    // A byte that nothing asked for would be taken for the next answer.
    const events = ['data', 'end', 'error', 'close'] as const;
    for (const event of events) socket.on(event, end);
    const forget = () => {
      clearTimeout(timer);
      for (const event of events) socket.off(event, end);
    };
    const entry: Idle = { origin, socket, forget };
    idle.add(entry);
    const others = idleOf.get(origin);
    if (others) others.push(entry);
    else idleOf.set(origin, [entry]);
  }

  return {
    async take(origin, { times, signal, isFresh = false }) {
      const kept = isFresh ? undefined : idleOf.get(origin)?.at(-1);
      if (kept) remove(kept);
      const socket = kept?.socket ?? (await openNew(origin, times, signal));
      const address = socket.remoteAddress ?? null;
      return { origin, socket, isReused: kept !== undefined, address };
    },
    give({ origin, socket }, isReusable) {
      const isEnough = (idleOf.get(origin)?.length ?? 0) >= MOST_IDLE_PER_ORIGIN;
      if (!isReusable || isClosed || isEnough || socket.destroyed) {
        socket.destroy();
        return;
      }
      keep(origin, socket);
      const [oldest] = idle;
      if (oldest && idle.size > MOST_IDLE) discard(oldest);
    },
    close() {
      isClosed = true;
      for (const entry of [...idle]) remove(entry);
      for (const socket of [...open]) socket.destroy();
    },
  };
}
