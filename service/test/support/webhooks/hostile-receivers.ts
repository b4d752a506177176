/**
 * Listeners that do everything wrong, in a process of their own, so that what they do to a sender's
 * process can be measured there. Prints one line of JSON, `{ caPem, urls }`, once all are there.
 *   node test/support/webhooks/hostile-receivers.ts <milliseconds of the listener that answers too late>
 */
import { spawn } from 'node:child_process';
import type { ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { createTestAuthority } from './https-listener.ts';

const DAY_MS = 86_400_000;
const DRIP_MS = 100;
const CHUNK = Buffer.alloc(64 * 1024, 'x');
const lateMs = Number(process.argv[2]);

const authority = await createTestAuthority();
const stranger = await createTestAuthority();
const good = await authority.issue();
const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));

/** By the other side's port: only a socket without TLS can be reset. */
const plainSockets = new Map<number | undefined, Socket>();

/** How each receiver treats a connection that has TLS, after the first bytes of the request. */
const AFTER_REQUEST: Readonly<Record<string, (socket: TLSSocket) => void>> = {
  'is silent after the handshake': () => {},
  'drips its head': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nx-drip: ');
    drip(socket, 'x');
  },
  'drips its body': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n');
    drip(socket, 'x');
  },
  'answers with a gigabyte': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1073741824\r\n\r\n');
    pour(socket, CHUNK);
  },
  'answers with a gigabyte in chunks': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
    pour(socket, Buffer.concat([Buffer.from('10000\r\n'), CHUNK, Buffer.from('\r\n')]));
  },
  'sends endless interim answers': (socket) =>
    pour(socket, Buffer.from('HTTP/1.1 103 Early Hints\r\nx: y\r\n\r\n'.repeat(1_000))),
  'sends endless 100 Continue': (socket) =>
    pour(socket, Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000))),
  'drips endless interim answers': (socket) => drip(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'),
  'sends a huge header': (socket) =>
    socket.write(`HTTP/1.1 200 OK\r\nx-huge: ${'x'.repeat(10_000_000)}\r\n\r\n`),
  'sends endless headers': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    pour(socket, Buffer.from(`x-more: ${'y'.repeat(1_000)}\r\n`.repeat(64)));
  },
  'sends an endless chunk extension': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;');
    pour(socket, CHUNK);
  },
  'resets after the request': (socket) => plainSockets.get(socket.remotePort)?.resetAndDestroy(),
  'ends in the middle of its body': (socket) =>
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc'),
  'answers with something else than HTTP': (socket) => socket.write('SSH-2.0-OpenSSH_9.9\r\n'),
};

const ANSWERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'answers with a gzip bomb': (response) =>
    response.writeHead(500, { 'content-encoding': 'gzip' }).end(bomb),
  redirects: (response) => response.writeHead(307, { location: 'https://localhost/' }).end(),
  'is gone': (response) => response.writeHead(410).end(),
  'asks for patience beyond reason': (response) =>
    response.writeHead(429, { 'retry-after': '99999999999999999999' }).end(),
  'answers 200 too late': (response) => setTimeout(() => response.writeHead(200).end('ok'), lateMs),
};

const CERTIFICATES: Readonly<Record<string, () => Promise<TlsOptions>>> = {
  'shows an expired certificate': () =>
    authority.issue({ notAfter: new Date(Date.now() - DAY_MS) }),
  'shows a certificate of its own making': () => stranger.issue(),
  'shows a certificate for another name': () => authority.issue({ names: ['shop.example'] }),
  'speaks TLS 1.0': async () => ({
    ...good,
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1',
    ciphers: 'ALL:@SECLEVEL=0',
  }),
};

const urls: Record<string, string> = {
  'never accepts': `https://localhost:${await listenAndNeverAccept()}/`,
  'accepts and is silent': await serve(createServer(quiet)),
  'resets as soon as it has accepted': await serve(
    createServer((socket) => quiet(socket).resetAndDestroy()),
  ),
};
for (const [name, answer] of Object.entries(AFTER_REQUEST)) {
  const server = createTlsServer(good, (socket) => {
    quiet(socket).once('data', () => answer(socket));
  });
  server.on('connection', (socket) => plainSockets.set(socket.remotePort, quiet(socket)));
  urls[name] = await serve(server);
}
for (const [name, answer] of Object.entries(ANSWERS)) {
  const server = createHttpsServer(good, (request, response) => {
    request.resume();
    answer(response);
  });
  urls[name] = await serve(server);
}
for (const [name, tls] of Object.entries(CERTIFICATES)) {
  urls[name] = await serve(createHttpsServer(await tls(), (_request, response) => response.end()));
}
process.stdout.write(`${JSON.stringify({ caPem: authority.caPem, urls })}\n`);

function quiet<Any extends Socket>(socket: Any): Any {
  socket.on('error', () => {});
  return socket;
}

function drip(socket: Socket, drop: string): void {
  const timer = setInterval(() => socket.write(drop), DRIP_MS);
  socket.on('close', () => clearInterval(timer));
}

/** Writes the bytes over and over, as fast as the peer takes them. */
function pour(socket: Socket, bytes: Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(bytes)) {}
  };
  socket.on('drain', more);
  more();
}

async function serve(server: Server): Promise<string> {
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `https://localhost:${(server.address() as AddressInfo).port}/`;
}

/** A process that listens and then does nothing any more; the kernel's queue is filled for it. */
async function listenAndNeverAccept(): Promise<number> {
  const code = `
    const server = require('node:net').createServer();
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      require('node:fs').writeSync(1, String(server.address().port));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`;
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => child.kill('SIGKILL'));
  // Not once: a second signal would then end us before the child is, which nothing else ends.
  process.on('SIGTERM', () => process.exit());
  const port = await new Promise<number>((resolve) => {
    child.stdout.once('data', (data) => resolve(Number(data)));
  });
  for (let n = 0; n < 4; n += 1) quiet(connect(port, '127.0.0.1'));
  await new Promise((resolve) => setTimeout(resolve, 100));
  return port;
}
