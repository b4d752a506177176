import type { TLSSocket } from 'node:tls';
import { IdleConnections } from './idle-connections.ts';
import { type ConnectDeps, type ConnectTimes, openVettedConnection } from './vetted-connection.ts';

/** A connection to one origin, used by one exchange at a time. */
export interface PooledConnection {
  readonly origin: string;
  readonly socket: TLSSocket;
  /** Whether an exchange before this one used it: the receiver may have just closed it. */
  readonly isReused: boolean;
  /** The receiver's address. */
  readonly address: string | null;
}

export interface TakeOptions {
  /** Filled in while a new connection is opened, also where opening fails. */
  readonly times: ConnectTimes;
  /** Ends the wait; a connection that is made afterwards is destroyed. */
  readonly signal: AbortSignal;
  /** Whether the connection must be a new one. */
  readonly isFresh?: boolean;
}

/**
 * Keeps connections to listeners for the next delivery, few and briefly. An exchange has its
 * connection to itself: that shows which address answered, and bounds what is read.
 */
export class ConnectionPool {
  readonly #deps: ConnectDeps;
  readonly #idle = new IdleConnections();
  readonly #open = new Set<TLSSocket>();
  #isClosed = false;

  constructor(deps: ConnectDeps) {
    this.#deps = deps;
  }

  /**
   * Takes an idle connection of this origin, or opens a new one, which the guard validates now.
   *
   * @throws what `openVettedConnection` throws, and the signal's reason
   */
  async take(
    origin: string,
    { times, signal, isFresh = false }: TakeOptions,
  ): Promise<PooledConnection> {
    const kept = isFresh ? undefined : this.#idle.take(origin);
    const socket = kept ?? (await this.#openNew(origin, times, signal));
    const address = socket.remoteAddress ?? null;
    return { origin, socket, isReused: kept !== undefined, address };
  }

  /** Returns a connection whose exchange is over: the pool keeps it for a moment or destroys it. */
  give({ origin, socket }: PooledConnection, isReusable: boolean): void {
    if (!isReusable || this.#isClosed || socket.destroyed) socket.destroy();
    else this.#idle.keep(origin, socket);
  }

  close(): void {
    this.#isClosed = true;
    this.#idle.clear();
    for (const socket of [...this.#open]) socket.destroy();
  }

  async #openNew(origin: string, times: ConnectTimes, signal: AbortSignal): Promise<TLSSocket> {
    const opening = openVettedConnection(this.#deps, origin, times);
    const stopped = Promise.withResolvers<never>();
    const stop = () => stopped.reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    try {
      const socket = await Promise.race([opening, stopped.promise]);
      if (this.#isClosed) socket.destroy();
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
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
}
