import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands between one process of the service and PostgreSQL. */
export interface DatabaseProxy {
  readonly port: number;
  /** Cuts every connection, and refuses new ones until `restore`. */
  cut(): void;
  /** Every byte of both directions comes this much later. */
  delay(ms: number): void;
  /** Open connections stay open and carry nothing any more; new ones work. */
  freeze(): void;
  /**
   * PostgreSQL has done the work, and its answer is lost with the connection: this share of the
   * commits and of the statements that commit by themselves, and a tenth of it of the others.
   */
  loseAnswers(share: number, random: () => number): void;
  /** How many answers were lost so far. */
  lost(): number;
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

export async function startDatabaseProxy(target: {
  readonly host: string;
  readonly port: number;
}): Promise<DatabaseProxy> {
  const pairs = new Set<{ near: Socket; far: Socket; isFrozen: boolean; asked: string }>();
  let isCut = false;
  let delayMs = 0;
  let losing: { share: number; random: () => number } | null = null;
  let lost = 0;

  const server = createServer({ noDelay: true }, (near) => {
    near.on('error', () => {});
    if (isCut) return void near.resetAndDestroy();
    const far = connect({ ...target, noDelay: true });
    const pair = { near, far, isFrozen: false, asked: '' };
    pairs.add(pair);
    far.on('error', () => near.destroy());
    const end = () => {
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    near.on('close', end);
    far.on('close', end);
    const forward = (from: Socket, to: Socket) => (chunk: Buffer) => {
      if (pair.isFrozen) return;
      if (from === near) pair.asked = chunk.toString('latin1');
      if (from === far && isLost(chunk, pair.asked)) {
        lost += 1;
        near.resetAndDestroy();
        return;
      }
      const send = () => to.writable && to.write(chunk);
      // Timers of one length fire in their order, so that bytes keep theirs.
      if (delayMs > 0 || pending(to) > 0) sendLater(to, send, delayMs);
      else send();
    };
    near.on('data', forward(near, far));
    far.on('data', forward(far, near));
  });
  server.maxConnections = MOST_CONNECTIONS;

  function isLost(chunk: Buffer, asked: string): boolean {
    if (!losing || !chunk.subarray(-IDLE.length).equals(IDLE)) return false;
    const part = chunk.includes(COMMIT) || WRITE.test(asked) ? 1 : READ_PART;
    return losing.random() < losing.share * part;
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endAll = () => {
    for (const { near, far } of pairs) {
      near.destroy();
      far.destroy();
    }
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true;
      endAll();
    },
    delay(ms) {
      delayMs = ms;
    },
    freeze() {
      for (const pair of pairs) pair.isFrozen = true;
    },
    loseAnswers(share, random) {
      losing = { share, random };
    },
    lost: () => lost,
    restore() {
      isCut = false;
      delayMs = 0;
      losing = null;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        endAll();
      }),
  };
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
