// The certificate library's dependency injector needs this polyfill loaded before it.
import 'reflect-metadata';
import type { webcrypto } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import {
  createServer as createTlsServer,
  type SecureContextOptions,
  type TLSSocket,
  type TlsOptions,
} from 'node:tls';
import * as x509 from '@peculiar/x509';
import { eventually } from '../eventually.ts';

const DAY_MS = 86_400_000;
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

export interface TestAuthority {
  /** The authority that a sender must trust: the contents of WEBHOOK_CA_FILE. */
  readonly caPem: string;
  /** A server certificate with its key; for localhost and the loopback addresses by default. */
  issue(options?: {
    readonly names?: readonly string[];
    readonly notAfter?: Date;
  }): Promise<{ readonly cert: string; readonly key: string }>;
}

/** Makes a certificate authority that exists only in memory. */
export async function createTestAuthority(): Promise<TestAuthority> {
  const keys = await makeKeys();
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Test authority',
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + DAY_MS),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return {
    caPem: ca.toString('pem'),
    async issue({ names = ['localhost', '127.0.0.1', '::1'], notAfter } = {}) {
      const own = await makeKeys();
      const cert = await x509.X509CertificateGenerator.create({
        subject: 'CN=Test listener',
        issuer: ca.subject,
        notBefore: new Date(Date.now() - 2 * DAY_MS),
        notAfter: notAfter ?? new Date(Date.now() + DAY_MS),
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: ALGORITHM,
        extensions: [
          new x509.SubjectAlternativeNameExtension(
            names.map((value) => ({ type: /^[\d.]+$|:/.test(value) ? 'ip' : 'dns', value })),
          ),
          await x509.AuthorityKeyIdentifierExtension.create(keys.publicKey),
        ],
      });
      const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', own.privateKey));
      return { cert: cert.toString('pem'), key: x509.PemConverter.encode(key, 'PRIVATE KEY') };
    },
  };
}

export interface ReceivedWebhook {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly receivedAt: Date;
}

export type Answering = (request: ReceivedWebhook, response: ServerResponse) => void;

export interface HttpsListener {
  /** `https://localhost:port/webhooks`. */
  readonly url: string;
  readonly port: number;
  readonly caPem: string;
  /** Everything received, in order. */
  readonly requests: ReceivedWebhook[];
  /** TCP connections accepted so far. */
  connections(): number;
  /** Waits until so many requests have come, and gives all of them. */
  received(count: number): Promise<readonly ReceivedWebhook[]>;
  /** Changes how requests are answered from now on; 200 with `ok` at first. */
  answerWith(answering: Answering): void;
  close(): Promise<void>;
}

export interface ListenerOptions {
  readonly authority?: TestAuthority;
  /** Overrides of the server's TLS: another certificate, older protocols. */
  readonly tls?: TlsOptions & SecureContextOptions;
  readonly answering?: Answering;
}

/** A merchant's webhook listener on loopback, over real HTTPS. */
export async function startHttpsListener(options: ListenerOptions = {}): Promise<HttpsListener> {
  const authority = options.authority ?? (await createTestAuthority());
  const requests: ReceivedWebhook[] = [];
  let answering: Answering = options.answering ?? ((_request, response) => response.end('ok'));
  const server = createServer({ ...(await authority.issue()), ...options.tls });
  server.on('request', async (message, response) => {
    response.on('error', () => {});
    const body = await readAll(message).catch(() => null);
    if (body === null) return;
    const { method = '', url: path = '', headers } = message;
    const request = { method, path, headers, body, receivedAt: new Date() };
    requests.push(request);
    answering(request, response);
  });
  const listening = await listen(server);
  return {
    ...listening,
    url: `https://localhost:${listening.port}/webhooks`,
    caPem: authority.caPem,
    requests,
    received: (count) =>
      eventually(
        () => requests.length >= count && [...requests],
        `${count} webhooks (${requests.length} came)`,
      ),
    answerWith(next) {
      answering = next;
    },
  };
}

/** A server that speaks TLS and then whatever `onSocket` does: for answers that are no HTTP. */
export async function startTlsListener(
  authority: TestAuthority,
  onSocket: (socket: TLSSocket) => void,
  tls: TlsOptions & SecureContextOptions = {},
): Promise<Pick<HttpsListener, 'url' | 'port' | 'connections' | 'close'>> {
  const server = createTlsServer({ ...(await authority.issue()), ...tls }, (socket) => {
    socket.on('error', () => {});
    onSocket(socket);
  });
  const listening = await listen(server);
  return { ...listening, url: `https://localhost:${listening.port}/webhooks` };
}

async function listen(server: Server) {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

async function readAll(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function makeKeys(): Promise<webcrypto.CryptoKeyPair> {
  return crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}
