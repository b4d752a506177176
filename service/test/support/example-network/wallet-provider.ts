import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WalletPayment, WalletSettings } from './wallet-network.ts';

/** The provider's side of the example: its API, and the payers in front of it. */
export interface WalletProvider {
  readonly settings: WalletSettings;
  /** The payer pays; no callback follows by itself. */
  pay(id: string, changes?: Partial<WalletPayment>): void;
  /** Calls back about a payment, and answers the status. `origin`: where the service listens. */
  callBack(id: string, origin: string, key?: string): Promise<number>;
  stop(): void;
}

export async function startWalletProvider(): Promise<WalletProvider> {
  const walletKey = 'a key of the wallet';
  const payments = new Map<string, WalletPayment & { readonly callbackUrl: string }>();
  const server = createServer(async (request, response) => {
    const id = request.url?.split('/').at(-1) ?? '';
    const known = payments.get(id);
    if (request.method === 'PUT' && (!known || ['OPEN', 'CANCELLED'].includes(known.state))) {
      const body = await readJson(request);
      const payUrl = `https://wallet.example/pay/${id}`;
      payments.set(id, { id, state: 'OPEN', payUrl, transaction: null, paidAt: null, ...body });
    }
    if (request.method === 'DELETE' && known?.state === 'OPEN') {
      payments.set(id, { ...known, state: 'CANCELLED' });
    }
    const answer = payments.get(id);
    response.writeHead(answer ? 200 : 404).end(JSON.stringify(answer ?? {}));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const paymentOf = (id: string) => {
    const payment = payments.get(id);
    if (!payment) throw new Error(`no payment ${id}`);
    return payment;
  };
  return {
    settings: { walletUrl: `http://127.0.0.1:${port}`, walletKey },
    pay(id, changes = {}) {
      const paid = {
        state: 'PAID',
        transaction: `W-${id}`,
        paidAt: '2026-03-01T12:00:00Z',
      } as const;
      payments.set(id, { ...paymentOf(id), ...paid, ...changes });
    },
    async callBack(id, origin, key = walletKey) {
      const { callbackUrl, ...payment } = paymentOf(id);
      const body = JSON.stringify(payment);
      const signature = createHmac('sha256', key).update(body).digest('hex');
      const answer = await fetch(new URL(new URL(callbackUrl).pathname, origin), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'wallet-signature': signature },
        body,
      });
      return answer.status;
    },
    stop: () => void server.close().closeAllConnections(),
  };
}

async function readJson(request: IncomingMessage) {
  let text = '';
  for await (const chunk of request) text += chunk;
  return JSON.parse(text) as { amount: string; currency: string; callbackUrl: string };
}
