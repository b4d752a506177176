import type { TLSSocket } from 'node:tls';

/** An idle connection ends after 3.5 to 4 s: common servers close after 5 s. */
const TURN_MS = 500;
const IDLE_TURNS = 8;
/** The idle connections that a receiver may hold open here (delivery §1, promise 8). */
const MAX_PER_ORIGIN = 8;
/** The number of slots of a sender; the oldest connection is closed first. */
const MAX_IDLE = 1_024;
/** A byte that no request asked for would be read as the next answer. */
const END_EVENTS = ['data', 'end', 'error', 'close'] as const;

/** A connection to one origin, used by one exchange at a time. */
export interface PooledConnection {
  readonly origin: string;
  readonly socket: TLSSocket;
  /** Whether an exchange before this one used it: the receiver may have just closed it. */
  readonly isReused: boolean;
  /** The receiver's address. */
  readonly address: string | null;
}

class KeptConnection implements PooledConnection {
  readonly origin: string;
  readonly socket: TLSSocket;
  readonly isReused = true;
  readonly address: string | null;
  isIdle = false;
  /** The turn in which it became idle. */
  idleSince = 0;

  constructor({ origin, socket, address }: PooledConnection) {
    this.origin = origin;
    this.socket = socket;
    this.address = address;
  }
}

/**
 * Connections that wait for their next exchange. The listeners of a connection stay through all its
 * waits, and one timer serves all connections: each delivery would pay for its own.
 */
export class IdleConnections {
  /** In the order in which they became idle. */
  readonly #all = new Set<KeptConnection>();
  /** By origin, the latest last; an origin without an idle connection has no entry. */
  readonly #byOrigin = new Map<string, KeptConnection[]>();
  /** Counts the runs of the timer, which runs while a connection is idle. */
  #turn = 0;
  #timer: NodeJS.Timeout | null = null;

  /** Takes the latest connection of an origin; undefined: the origin has none. */
  take(origin: string): PooledConnection | undefined {
    const kept = this.#byOrigin.get(origin)?.at(-1);
    if (kept) this.#remove(kept);
    return kept;
  }

  /** Keeps a connection for a moment, or destroys it when its origin has 8 already. */
  keep(connection: PooledConnection): void {
    if ((this.#byOrigin.get(connection.origin)?.length ?? 0) >= MAX_PER_ORIGIN) {
      connection.socket.destroy();
      return;
    }
    this.#add(connection instanceof KeptConnection ? connection : this.#watch(connection));
    const [oldest] = this.#all;
    if (oldest && this.#all.size > MAX_IDLE) this.#discard(oldest);
  }

  /** Forgets all connections; their owner destroys them. */
  clear(): void {
    for (const kept of [...this.#all]) this.#remove(kept);
  }

  #watch(connection: PooledConnection): KeptConnection {
    const kept = new KeptConnection(connection);
    const end = () => {
      if (kept.isIdle) this.#discard(kept);
    };
    for (const event of END_EVENTS) kept.socket.on(event, end);
    return kept;
  }

  #add(kept: KeptConnection): void {
    kept.isIdle = true;
    kept.idleSince = this.#turn;
    this.#all.add(kept);
    const others = this.#byOrigin.get(kept.origin);
    if (others) others.push(kept);
    else this.#byOrigin.set(kept.origin, [kept]);
    this.#timer ??= setInterval(() => this.#endOld(), TURN_MS).unref();
  }

  #remove(kept: KeptConnection): void {
    kept.isIdle = false;
    this.#all.delete(kept);
    const others = this.#byOrigin.get(kept.origin) ?? [];
    // Nearly always the latest, which is the next to be taken.
    others.splice(others.lastIndexOf(kept), 1);
    if (others.length === 0) this.#byOrigin.delete(kept.origin);
  }

  #discard(kept: KeptConnection): void {
    this.#remove(kept);
    kept.socket.destroy();
  }

  #endOld(): void {
    this.#turn += 1;
    for (const kept of this.#all) {
      if (this.#turn - kept.idleSince < IDLE_TURNS) return;
      this.#discard(kept);
    }
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }
}
