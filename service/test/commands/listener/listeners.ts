import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { ListenerSecrets } from '../../../../sdk/src/cli/post-webhook.ts';

export interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** The status that a listener answers; null: the listener never answers. */
export type Judge = (received: Received) => number | null;

/** Starts a listener as a merchant writes one, over plain HTTP on this machine. */
export async function startListener(judge: Judge) {
  const received: Received[] = [];
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const one = { headers: request.headers, body: Buffer.concat(chunks).toString('utf8') };
    received.push(one);
    const status = judge(one);
    if (status !== null) response.writeHead(status).end('seen');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url, received, close };
}

export const LISTENER: ListenerSecrets = {
  username: 'shop',
  password: 'right',
  signingSecret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
};

const CREDENTIALS = Buffer.from(`${LISTENER.username}:${LISTENER.password}`);
export const BASIC = `Basic ${CREDENTIALS.toString('base64')}`;

/** A correct listener, by an implementation of Standard Webhooks that is not ours. */
export const verified: Judge = verifiedUnder(LISTENER.signingSecret);

/** Verifies by another signing secret. */
export function verifiedUnder(signingSecret: string): Judge {
  return ({ headers, body }) => {
    if (headers.authorization !== BASIC) return 401;
    try {
      new Webhook(signingSecret).verify(body, headers as Record<string, string>);
      return 204;
    } catch {
      return 400;
    }
  };
}

/** Checks a webhook with another body or other headers than the ones that came. */
export function verifiedAs(changed: (received: Received) => Partial<Received>): Judge {
  return (received) => verified({ ...received, ...changed(received) });
}

/** Adds headers, or replaces them. */
export function withHeaders({ headers }: Received, more: Received['headers']): Partial<Received> {
  return { headers: { ...headers, ...more } };
}
