import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type DatabaseProxy, startDatabaseProxy } from './database-proxy.ts';

/** ReadyForQuery: the transaction is over, or open. */
const IDLE = 'Z\0\0\0\x05I';
const OPEN = 'Z\0\0\0\x05T';
const ALWAYS = () => 0;

let server: Server;
let proxy: DatabaseProxy;
let socket: Socket;
/** The text that the server has received. */
let arrived = '';

before(async () => {
  server = createServer((far) => {
    far.on('error', () => {});
    far.on('data', (chunk) => {
      const asked = chunk.toString('latin1');
      arrived += asked;
      if (asked.startsWith('COMMIT')) far.write(`COMMIT\0${IDLE}`, 'latin1');
      else far.write(asked + (asked.startsWith('BEGIN') ? OPEN : IDLE), 'latin1');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  proxy = await startDatabaseProxy({ host: '127.0.0.1', port });
});
after(async () => {
  await proxy.close();
  server.close();
});

async function open(): Promise<Socket> {
  arrived = '';
  socket = connect(proxy.port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** The next answer; null: the connection ended without. */
async function ask(text: string): Promise<string | null> {
  if (socket.destroyed) return null;
  socket.write(text);
  return new Promise((resolve) => {
    socket.once('data', (chunk) => resolve(chunk.toString('latin1')));
    socket.once('close', () => resolve(null));
  });
}

describe('the proxy before PostgreSQL', () => {
  it('loses the answer of a commit after PostgreSQL has done it', async () => {
    await open();
    proxy.loseAnswers(1, ALWAYS);
    assert.equal(await ask('BEGIN'), `BEGIN${OPEN}`);
    const before = proxy.lost();
    assert.equal(await ask('COMMIT'), null);
    assert.equal(arrived, 'BEGINCOMMIT');
    assert.equal(proxy.lost(), before + 1);
    proxy.restore();
  });

  it('forwards every answer again once it is restored', async () => {
    await open();
    assert.equal(await ask('COMMIT'), `COMMIT\0${IDLE}`);
  });

  it('cuts open connections and refuses new ones', async () => {
    const first = await open();
    proxy.cut();
    await once(first, 'close');
    await open().catch(() => null);
    assert.equal(await ask('SELECT'), null);
    proxy.restore();
  });

  it('keeps the order of bytes while a delay gets shorter', async () => {
    await open();
    proxy.delay(200);
    socket.write('one ');
    await new Promise((resolve) => setTimeout(resolve, 50));
    proxy.restore();
    socket.write('two');
    while (arrived.length < 'one two'.length) await once(socket, 'data');
    assert.equal(arrived, 'one two');
  });

  it('keeps a frozen connection open, and carries nothing on it', async () => {
    const frozen = await open();
    proxy.freeze();
    frozen.write('SELECT');
    await open();
    // The answer of the new connection proves that the proxy has worked meanwhile.
    assert.equal(await ask('PING'), `PING${IDLE}`);
    assert.equal(arrived, 'PING');
    assert.equal(frozen.destroyed, false);
    frozen.destroy();
  });
});
