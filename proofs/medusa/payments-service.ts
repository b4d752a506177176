import { type Client, createClient } from '../../sdk/src/index.ts';
import { createTestDatabase } from '../../service/test/support/database.ts';
import { eventually } from '../../service/test/support/eventually.ts';
import { freePort } from '../../service/test/support/free-port.ts';
import { settingsOf } from '../../service/test/support/service/service.ts';
import {
  type SpawnedService,
  spawnService,
} from '../../service/test/support/service/spawned-service.ts';
import { onboardMerchants } from '../history/onboard.ts';
import { RECEIVER_SETTINGS } from '../history/receiver.ts';

/** The service in a process of its own, and its merchant. */
export interface PaymentsService {
  /** The merchant's own calls. */
  readonly client: Client;
  readonly url: string;
  /** The options of the plug-in. */
  readonly provider: Record<string, unknown>;
  /** An empty database on the same server. */
  emptyDatabase(): Promise<string>;
  start(): Promise<void>;
  kill(): Promise<void>;
  close(): Promise<void>;
}

export interface PaymentsOptions {
  /** Production has the simulated network, on whose pages a payer pays. */
  readonly environment: 'sandbox' | 'production';
  readonly webhookUrl: string;
  /** The authority of the listener's certificate. */
  readonly caFile: string;
}

export async function startPaymentsService(options: PaymentsOptions): Promise<PaymentsService> {
  const { environment, webhookUrl, caFile } = options;
  const database = await createTestDatabase(environment);
  const settings = {
    ...settingsOf(environment, database.url),
    ...RECEIVER_SETTINGS,
    ...addressesOf(await freePort(), await freePort()),
    WEBHOOK_CA_FILE: caFile,
  };
  const { origin } = new URL(webhookUrl);
  const [merchant] = await onboardMerchants(database.url, settings, 1, [origin]);
  if (!merchant) throw new Error('There is no merchant.');
  const { username, password, apiKey } = merchant;
  const addresses = { baseUrl: settings.PUBLIC_API_URL, authUrl: settings.PUBLIC_AUTH_URL };
  const access = { ...addresses, username, password, apiKey };
  let running: SpawnedService | null = null;

  async function start(): Promise<void> {
    running = spawnService({ env: settings });
    const { opsUrl } = await running.started();
    await eventually(async () => (await fetch(`${opsUrl}/health/ready`)).ok, 'readiness');
  }
  async function kill(): Promise<void> {
    running?.signalGroup('SIGKILL');
    await running?.ended();
    running = null;
  }

  await start();
  const client = createClient(access);
  const endpoint = await client.createWebhookEndpoint({ url: webhookUrl, eventTypes: ['*'] });
  const shopDatabase = `${new URL(database.url).pathname.slice(1)}_shop`;
  return {
    client,
    url: new URL(addresses.baseUrl).origin,
    provider: { ...access, listener: endpoint },
    start,
    kill,
    async emptyDatabase() {
      await database.sql(`CREATE DATABASE ${shopDatabase}`);
      return Object.assign(new URL(database.url), { pathname: `/${shopDatabase}` }).href;
    },
    async close() {
      await kill();
      await database.sql(`DROP DATABASE IF EXISTS ${shopDatabase} WITH (FORCE)`);
      await database.drop();
    },
  };
}

function addressesOf(port: number, opsPort: number) {
  const url = `http://localhost:${port}`;
  return {
    PORT: `${port}`,
    OPS_PORT: `${opsPort}`,
    PUBLIC_API_URL: `${url}/v1`,
    PUBLIC_AUTH_URL: `${url}/oauth2/token`,
    PAYMENT_LINK_BASE: `${url}/pay`,
  };
}
