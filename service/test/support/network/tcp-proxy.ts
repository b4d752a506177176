import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  readonly port: number;
  /**
   * The statements that the near side has sent, but for those that set a connection up and those
   * that only keep one: these are simple queries.
   */
  statements(): number;
  /** Cuts every connection and refuses new ones. */
  cut(): void;
  /** Cuts a connection when the far side answers a write on it: what was asked is done. */
  cutAnswers(): void;
  /** Lets connections through again. */
  restore(): void;
  /**
   * Keeps every open connection open and forwards nothing on it any more, as after the death of a
   * host or a firewall's state. New connections work.
   */
  freeze(): void;
  /** How many connections stand frozen: the near side has not given them up yet. */
  frozen(): number;
  close(): Promise<void>;
}

/** Stands between the service and its database, so that a test can take the database away. */
export async function startTcpProxy(
  target: { host: string; port: number },
  host = '127.0.0.1',
  port = 0,
): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  /** The near sides of connections on which nothing is forwarded any more. */
  const frozen = new Set<Socket>();
  /** Freezes a connection; one for each that is open. */
  const freezes = new Map<Socket, () => void>();
  let isCut = false;
  let cutsAnswers = false;
  let statements = 0;
  const server = createServer((near) => {
    near.on('error', () => {});
    if (isCut) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(target);
    far.on('error', () => near.destroy());
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    let asked = '';
    let isSetUp = false;
    near.on('data', (chunk) => {
      asked = chunk.toString('latin1');
      // Parse or Bind; the rest of a long statement begins otherwise.
      if (!/^[PB]/.test(asked)) return;
      if (isSetUp) statements += 1;
      isSetUp = true;
    });
    far.on('data', () => {
      // Before it is forwarded.
      if (cutsAnswers && /insert/i.test(asked)) near.resetAndDestroy();
    });
    near.pipe(far).pipe(near);
    freezes.set(near, () => {
      near.unpipe(far);
      far.unpipe(near);
      // The proxy still takes what the near side sends, like the kernel of a process that hangs.
      near.resume();
      far.resume();
      far.on('data', () => {});
      frozen.add(near);
    });
    near.on('close', () => {
      freezes.delete(near);
      frozen.delete(near);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    statements: () => statements,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    cutAnswers() {
      cutsAnswers = true;
    },
    restore() {
      isCut = false;
      cutsAnswers = false;
    },
    freeze() {
      for (const freeze of freezes.values()) freeze();
    },
    frozen: () => frozen.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
