import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Ends one trouble, and leaves the others. */
type Undo = () => void;

/** Stands between one process of the service and PostgreSQL. */
export interface DatabaseProxy {
  readonly port: number;
  /** Cuts every connection, and refuses new ones until the undo. */
  cut(): Undo;
  /** Delays every byte of both directions by this time. */
  delay(ms: number): Undo;
  /** Stops open connections, which stay open; new connections work. */
  freeze(): Undo;
  /**
   * Loses answers with their connections, after PostgreSQL has done the work. `share` is that of
   * COMMITs and of statements that commit by themselves; other statements lose a tenth of this
   * share.
   */
  loseAnswers(share: number, random: () => number): Undo;
  /** @returns the number of answers that were lost so far */
  lost(): number;
  /** Ends every trouble. */
  restore(): void;
  close(): Promise<void>;
}

/** ReadyForQuery with the state "idle": the transaction of the answer is over. */
const IDLE = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
/** The tag of CommandComplete. */
const COMMIT = Buffer.from('COMMIT\0');
/** Names and texts of statements that write outside of a transaction. */
const WRITE = /insert|create|claim|record|update|renew|change|settle|start|prune/i;
const READ_PART = 0.1;
/** More than the pools of all processes. */
const MOST_CONNECTIONS = 500;

/** A connection through the proxy. */
interface Pair {
  readonly near: Socket;
  readonly far: Socket;
  isFrozen: boolean;
  /** The last bytes that the near side sent. */
  asked: string;
}

/** The faults of the moment. */
interface Trouble {
  isCut: boolean;
  delayMs: number;
  losing: { readonly share: number; readonly random: () => number } | null;
  lost: number;
}

export async function startDatabaseProxy(target: {
  readonly host: string;
  readonly port: number;
}): Promise<DatabaseProxy> {
  const pairs = new Set<Pair>();
  const trouble: Trouble = { isCut: false, delayMs: 0, losing: null, lost: 0 };
  const server = createServer({ noDelay: true }, (near) => {
    near.on('error', () => {});
    if (trouble.isCut) near.resetAndDestroy();
    else join(pairs, trouble, near, connect({ ...target, noDelay: true }));
  });
  server.maxConnections = MOST_CONNECTIONS;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const undo = (part: Partial<Trouble>) => () => void Object.assign(trouble, part);
  const endAll = () => {
    for (const { near, far } of pairs) {
      near.destroy();
      far.destroy();
    }
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      trouble.isCut = true;
      endAll();
      return undo({ isCut: false });
    },
    delay(delayMs) {
      trouble.delayMs = delayMs;
      return undo({ delayMs: 0 });
    },
    freeze() {
      for (const pair of pairs) pair.isFrozen = true;
      // A frozen connection stays so until one of its sides gives up.
      return () => {};
    },
    loseAnswers(share, random) {
      trouble.losing = { share, random };
      return undo({ losing: null });
    },
    lost: () => trouble.lost,
    restore: undo({ isCut: false, delayMs: 0, losing: null }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        endAll();
      }),
  };
}

/** Forwards between the two sides until one of them ends. */
function join(pairs: Set<Pair>, trouble: Trouble, near: Socket, far: Socket): void {
  const pair: Pair = { near, far, isFrozen: false, asked: '' };
  pairs.add(pair);
  far.on('error', () => near.destroy());
  const end = () => {
    pairs.delete(pair);
    near.destroy();
    far.destroy();
  };
  near.on('close', end);
  far.on('close', end);
  const forward = (to: Socket, chunk: Buffer) => {
    if (pair.isFrozen) return;
    const send = () => to.writable && to.write(chunk);
    if (trouble.delayMs > 0 || pending(to) > 0) sendLater(to, send, trouble.delayMs);
    else send();
  };
  near.on('data', (chunk) => {
    pair.asked = chunk.toString('latin1');
    forward(far, chunk);
  });
  far.on('data', (chunk) => {
    if (!isLost(trouble, pair.asked, chunk)) return forward(near, chunk);
    trouble.lost += 1;
    near.resetAndDestroy();
  });
}

function isLost({ losing }: Trouble, asked: string, answer: Buffer): boolean {
  if (!losing || !answer.subarray(-IDLE.length).equals(IDLE)) return false;
  const part = answer.includes(COMMIT) || WRITE.test(asked) ? 1 : READ_PART;
  return losing.random() < losing.share * part;
}

/** The sends that wait for each socket. */
const waiting = new WeakMap<Socket, (() => void)[]>();

function pending(socket: Socket): number {
  return waiting.get(socket)?.length ?? 0;
}

/** Sends in the order of the calls, also when the delay gets shorter in between. */
function sendLater(socket: Socket, send: () => void, delayMs: number): void {
  const queue = waiting.get(socket) ?? [];
  waiting.set(socket, queue);
  queue.push(send);
  setTimeout(() => queue.shift()?.(), delayMs);
}
