import type { TLSSocket } from 'node:tls';

/** Below the 5 s after which common servers close, so that a reused connection is rarely dead. */
const IDLE_MS = 4_000;
/** The idle connections that a receiver may hold open here (delivery §1, promise 8). */
const MAX_PER_ORIGIN = 8;
/** The number of slots of a sender; the oldest connection is closed first. */
const MAX_IDLE = 1_024;

interface Idle {
  readonly origin: string;
  readonly socket: TLSSocket;
  /** Stops watching the socket. */
  readonly forget: () => void;
}

/** Connections that wait for their next exchange. */
export class IdleConnections {
  /** In the order in which they became idle. */
  readonly #all = new Set<Idle>();
  /** By origin, the latest last; an origin without an idle connection has no entry. */
  readonly #byOrigin = new Map<string, Idle[]>();

  /** Takes the latest connection of an origin; undefined: the origin has none. */
  take(origin: string): TLSSocket | undefined {
    const entry = this.#byOrigin.get(origin)?.at(-1);
    if (!entry) return undefined;
    this.#remove(entry);
    return entry.socket;
  }

  /** Keeps a connection for a moment, or destroys it when its origin has 8 already. */
  keep(origin: string, socket: TLSSocket): void {
    if ((this.#byOrigin.get(origin)?.length ?? 0) >= MAX_PER_ORIGIN) {
      socket.destroy();
      return;
    }
    this.#add(origin, socket);
    const [oldest] = this.#all;
    if (oldest && this.#all.size > MAX_IDLE) this.#discard(oldest);
  }

  /** Stops watching all connections; their owner destroys them. */
  clear(): void {
    for (const entry of [...this.#all]) this.#remove(entry);
  }

  #add(origin: string, socket: TLSSocket): void {
    const end = () => this.#discard(entry);
    const timer = setTimeout(end, IDLE_MS).unref();
    // A byte that no request asked for would be read as the next answer.
    const events = ['data', 'end', 'error', 'close'] as const;
    for (const event of events) socket.on(event, end);
    const forget = () => {
      clearTimeout(timer);
      for (const event of events) socket.off(event, end);
    };
    const entry: Idle = { origin, socket, forget };
    this.#all.add(entry);
    const others = this.#byOrigin.get(origin);
    if (others) others.push(entry);
    else this.#byOrigin.set(origin, [entry]);
  }

  #remove(entry: Idle): void {
    entry.forget();
    this.#all.delete(entry);
    const others = (this.#byOrigin.get(entry.origin) ?? []).filter((other) => other !== entry);
    if (others.length > 0) this.#byOrigin.set(entry.origin, others);
    else this.#byOrigin.delete(entry.origin);
  }

  #discard(entry: Idle): void {
    this.#remove(entry);
    entry.socket.destroy();
  }
}
