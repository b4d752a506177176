import type { TLSSocket } from 'node:tls';
import { KeyCounter } from '#lib/key-counter.ts';
import { arrivedBytesOf } from './unasked-bytes.ts';

/** An idle connection ends after 3.5 to 4 s: common servers close after 5 s. */
const TURN_MS = 500;
const IDLE_TURNS = 8;
/** The connections that one merchant may hold open to one origin (delivery §1, promise 8). */
export const MAX_PER_ORIGIN = 8;
/** The number of slots of a sender; the oldest connection is closed first. */
const MAX_IDLE = 1_024;
/** A merchant's share of the slots: the others keep their connections. */
const MAX_PER_MERCHANT = 256;
/** A byte that no request asked for would be read as the next answer. */
const END_EVENTS = ['data', 'end', 'error', 'close'] as const;

/**
 * The only deliveries that a connection may carry: those of one merchant to one endpoint or URL. A
 * late answer on the connection can then acknowledge no webhook of another listener.
 */
export interface ConnectionUse {
  readonly merchantId: string;
  /** null: the payment request's own URL. */
  readonly endpointId: string | null;
  readonly url: string;
  /** The URL's, as in `https://shop.example:8443`. */
  readonly origin: string;
}

/** A connection of one use, with one exchange at a time. */
export interface PooledConnection {
  readonly use: ConnectionUse;
  readonly socket: TLSSocket;
  /** Whether an exchange before this one used it: the receiver may have just closed it. */
  readonly isReused: boolean;
  /** See `arrivedBytesOf`; null on a new connection. */
  readonly arrivedBytes: number | null;
  /** The receiver's address. */
  readonly address: string | null;
}

class KeptConnection implements PooledConnection {
  readonly use: ConnectionUse;
  readonly socket: TLSSocket;
  readonly isReused = true;
  arrivedBytes: number | null = null;
  readonly address: string | null;
  isIdle = false;
  /** The turn in which it became idle. */
  idleSince = 0;

  constructor({ use, socket, address }: PooledConnection) {
    this.use = use;
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
  /** By merchant and origin, the latest last; each entry has an idle connection. */
  readonly #byOrigin = new Map<string, KeptConnection[]>();
  readonly #ofMerchant = new KeyCounter();
  /** Counts the runs of the timer, which runs while a connection is idle. */
  #turn = 0;
  #timer: NodeJS.Timeout | null = null;

  /** Takes the latest connection of a use; undefined: the use has none. */
  take(use: ConnectionUse): PooledConnection | undefined {
    const others = this.#byOrigin.get(originKeyOf(use));
    const kept = others?.findLast((each) => isSameUse(each.use, use));
    if (kept) this.#remove(kept);
    return kept;
  }

  /** Ends the oldest connections of a merchant to an origin until `most` are left. */
  trim(use: ConnectionUse, most: number): void {
    const others = this.#byOrigin.get(originKeyOf(use)) ?? [];
    for (const kept of others.slice(0, Math.max(0, others.length - most))) this.#discard(kept);
  }

  /** Keeps a connection for a moment, or destroys it when its merchant has its bound already. */
  keep(connection: PooledConnection): void {
    const { use, socket } = connection;
    const ofOrigin = this.#byOrigin.get(originKeyOf(use))?.length ?? 0;
    if (ofOrigin >= MAX_PER_ORIGIN || this.#ofMerchant.count(use.merchantId) >= MAX_PER_MERCHANT) {
      socket.destroy();
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
    kept.arrivedBytes = arrivedBytesOf(kept.socket);
    this.#all.add(kept);
    this.#ofMerchant.add(kept.use.merchantId);
    const key = originKeyOf(kept.use);
    const others = this.#byOrigin.get(key);
    if (others) others.push(kept);
    else this.#byOrigin.set(key, [kept]);
    this.#timer ??= setInterval(() => this.#endOld(), TURN_MS).unref();
  }

  #remove(kept: KeptConnection): void {
    kept.isIdle = false;
    this.#all.delete(kept);
    this.#ofMerchant.remove(kept.use.merchantId);
    const key = originKeyOf(kept.use);
    const others = this.#byOrigin.get(key) ?? [];
    // Nearly always the latest, which is the next to be taken.
    others.splice(others.lastIndexOf(kept), 1);
    if (others.length === 0) this.#byOrigin.delete(key);
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

/** Without spaces in either part, so that no two merchants share a key. */
export function originKeyOf({ merchantId, origin }: ConnectionUse): string {
  return `${merchantId} ${origin}`;
}

function isSameUse(one: ConnectionUse, other: ConnectionUse): boolean {
  return one.url === other.url && one.endpointId === other.endpointId;
}
