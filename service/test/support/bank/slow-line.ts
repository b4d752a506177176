import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A line to a server on this machine, which can be slow. */
export interface SlowLine {
  readonly port: number;
  /** Gives a byte a second of all that the server sends. */
  slowDown(): void;
  speedUp(): void;
  /** Calls back once, when the server has sent so many more bytes. */
  after(bytes: number, act: () => void): void;
  stop(): Promise<void>;
}

export async function startSlowLine(port: number): Promise<SlowLine> {
  let isSlow = false;
  let left = 0;
  let due: (() => void) | null = null;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const remote = connect(port, '127.0.0.1');
    const waiting: Buffer[] = [];
    const second = setInterval(() => {
      const bytes = Buffer.concat(waiting.splice(0));
      if (bytes.length > 0) client.write(isSlow ? bytes.subarray(0, 1) : bytes);
      if (isSlow && bytes.length > 1) waiting.push(bytes.subarray(1));
    }, 1_000);
    client.pipe(remote);
    remote.on('data', (bytes) => {
      left -= bytes.length;
      if (due && left <= 0) {
        const act = due;
        due = null;
        act();
      }
      if (isSlow || waiting.length > 0) waiting.push(bytes);
      else client.write(bytes);
    });
    const end = () => {
      clearInterval(second);
      client.destroy();
      remote.destroy();
    };
    for (const each of [client, remote]) {
      sockets.add(each);
      each.on('error', end).on('close', end);
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    slowDown() {
      isSlow = true;
    },
    speedUp() {
      isSlow = false;
    },
    after(bytes, act) {
      left = bytes;
      due = act;
    },
    async stop() {
      for (const each of sockets) each.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
