import assert from 'node:assert/strict';
import { createClient } from '@payment-requests/sdk';
import type { MakeNetwork } from '#e-transfer/e-transfer-network.ts';
import { createSimulatedNetwork } from '#e-transfer/simulated-network/simulated-network.ts';
import { eventually } from '../eventually.ts';
import { freePort } from '../free-port.ts';
import { type Answer, callAt, type TestMerchant } from '../service/service.ts';
import { type HttpsListener, startHttpsListener } from '../webhooks/https-listener.ts';
import { startWebhookService, type WebhookService } from '../webhooks/webhook-service.ts';
import { ADDRESSES, type CellPorts, type CellsRouter, startCellsRouter } from './cells-router.ts';

export interface Cell {
  readonly number: 1 | 2;
  readonly mark: '' | 'c2-';
  readonly service: WebhookService;
  readonly merchant: TestMerchant;
  /** The merchant's listener, at which an endpoint is registered. */
  readonly listener: HttpsListener;
  /** Calls through the router. */
  readonly client: ReturnType<typeof createClient>;
  /** The ids of callbacks that the cell's connector has received. */
  readonly callbacks: string[];
}

export interface TwoCells {
  readonly router: CellsRouter;
  readonly cells: readonly [Cell, Cell];
  /** Sends one GET through the router. */
  ask(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** The cell that the router chose for a call, by the line of its log. */
  cellOf(answer: Answer): Promise<string | undefined>;
  stop(): Promise<void>;
}

/** Two deployments on two databases behind Debian's haproxy, as docs/operations/cells.md says. */
export async function startTwoCells(): Promise<TwoCells> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const each of stops.splice(0).reverse()) await each();
  };
  try {
    const port = await freePort();
    const ports = [await portsOfCell(), await portsOfCell()] as const;
    const first = await openCell(1, port, ports[0], stops);
    const second = await openCell(2, port, ports[1], stops);
    const router = await startCellsRouter(port, ports);
    stops.push(() => router.stop());
    return {
      router,
      cells: [first, second],
      ask: (path, headers = {}) => callAt(router.url + path, 'GET', { headers }),
      cellOf: (answer) => loggedCell(router, answer),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const portsOfCell = async () => ({ port: await freePort(), opsPort: await freePort() });

async function openCell(
  number: Cell['number'],
  routerPort: number,
  { port, opsPort }: CellPorts,
  stops: (() => Promise<void>)[],
): Promise<Cell> {
  const shared = `http://${ADDRESSES.shared}:${routerPort}`;
  const authUrl = `http://${ADDRESSES[`cell${number}`]}:${routerPort}/oauth2/token`;
  const callbacks: string[] = [];
  const service = await startWebhookService({
    environment: 'production',
    makeNetwork: withCallbacks(callbacks),
    settings: {
      ...(number > 1 && { CELL: `${number}` }),
      PORT: `${port}`,
      OPS_PORT: `${opsPort}`,
      PUBLIC_API_URL: `${shared}/v1`,
      PUBLIC_AUTH_URL: authUrl,
      PAYMENT_LINK_BASE: `${shared}/pay`,
      TRUSTED_PROXIES: '127.0.0.1/32',
    },
  });
  // A test may stop a cell before the end.
  stops.push(() => service.stop().catch(() => {}));
  const { authority } = service;
  const listener = await startHttpsListener({ authority });
  stops.push(() => listener.close());
  const merchant = await service.createMerchant({ webhookUrl: listener.url });
  const { username, password, apiKey } = merchant;
  const client = createClient({ baseUrl: `${shared}/v1`, authUrl, username, password, apiKey });
  const mark = number === 1 ? '' : 'c2-';
  return { number, mark, service, merchant, listener, client, callbacks };
}

/** The simulated network, and callbacks as the connector of another network has them. */
function withCallbacks(callbacks: string[]): MakeNetwork {
  return (surroundings) => {
    const network = createSimulatedNetwork(surroundings);
    return {
      ...network,
      registerRoutes(app) {
        network.registerRoutes(app);
        const hidden = { schema: { hide: true } };
        app.post<{ Params: { id: string } }>('/callbacks/:id', hidden, (request, reply) => {
          callbacks.push(request.params.id);
          return reply.code(204).send();
        });
      },
    };
  };
}

async function loggedCell(
  { logLines }: CellsRouter,
  { headers }: Answer,
): Promise<string | undefined> {
  const id = headers.get('x-request-id') ?? assert.fail('the answer has no request id');
  const line = await eventually(
    () => logLines.find((each) => each.includes(`id=${id} `)),
    `a line of the router for ${id}`,
  );
  return /cell=(\S+)/.exec(line)?.[1];
}
