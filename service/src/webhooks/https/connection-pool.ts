import type { TLSSocket } from 'node:tls';
import { KeyCounter } from '#lib/key-counter.ts';
import type { Deadline } from './deadline.ts';
import {
  type ConnectionUse,
  IdleConnections,
  MAX_PER_ORIGIN,
  originKeyOf,
  type PooledConnection,
} from './idle-connections.ts';
import { type ConnectDeps, type ConnectTimes, openVettedConnection } from './vetted-connection.ts';

export interface TakeOptions {
  /** Filled in while a new connection is opened, also where opening fails. */
  readonly times: ConnectTimes;
  /** Ends the wait; a connection that is made afterwards is destroyed. */
  readonly deadline: Deadline;
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
  /** Connections under way or in an exchange, by merchant and origin. */
  readonly #lent = new KeyCounter();
  #isClosed = false;

  constructor(deps: ConnectDeps) {
    this.#deps = deps;
  }

  /**
   * Takes an idle connection of this use, or opens a new one, which the guard validates now. `give`
   * must follow, unless this throws.
   *
   * @throws what `openVettedConnection` throws, and DeliveryFailure TIMED_OUT at the deadline
   */
  async take(
    use: ConnectionUse,
    { times, deadline, isFresh = false }: TakeOptions,
  ): Promise<PooledConnection> {
    const key = originKeyOf(use);
    this.#lent.add(key);
    const kept = isFresh ? undefined : this.#idle.take(use);
    if (kept) return kept;
    this.#idle.trim(use, MAX_PER_ORIGIN - this.#lent.count(key));
    try {
      const socket = await this.#openNew(use.origin, times, deadline);
      const address = socket.remoteAddress ?? null;
      return { use, socket, isReused: false, arrivedBytes: null, address };
    } catch (error) {
      this.#lent.remove(key);
      throw error;
    }
  }

  /** Returns a connection whose exchange is over: the pool keeps it for a moment or destroys it. */
  give(connection: PooledConnection, isReusable: boolean): void {
    const { use, socket } = connection;
    this.#lent.remove(originKeyOf(use));
    if (!isReusable || this.#isClosed || socket.destroyed) socket.destroy();
    else this.#idle.keep(connection);
  }

  close(): void {
    this.#isClosed = true;
    this.#idle.clear();
    for (const socket of [...this.#open]) socket.destroy();
  }

  async #openNew(origin: string, times: ConnectTimes, deadline: Deadline): Promise<TLSSocket> {
    const opening = openVettedConnection(this.#deps, origin, times);
    const stopped = Promise.withResolvers<never>();
    deadline.holdStep(stopped.reject);
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
      deadline.releaseStep();
    }
  }
}
