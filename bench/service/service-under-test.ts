import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../../scripts/toolchain/node-flags.mjs';
import { connectDatabase } from '../../service/src/database/database.ts';
import { freePort } from '../../service/test/support/free-port.ts';
import { endChild, spawnNode } from '../child-processes/start-child.ts';
import { type DatabaseWatch, watchDatabase } from '../child-processes/watch-database.ts';
import { dropDatabase, makeDatabase } from './make-database.ts';
import { onboard } from './onboard.ts';

/** `npm run bench` builds a release, as operators run it. */
const RELEASED = process.env.BENCH_SERVICE;
const CLI = RELEASED ?? fileURLToPath(new URL('../../service/src/cli.ts', import.meta.url));
/** The form that was measured: a release starts faster than sources. */
export const FORM = RELEASED ? 'as npm run release joins it' : 'from its sources';
/** The first start runs all migrations. */
const START_TIMEOUT_MS = 60_000;
/** The interval between two questions whether the service is ready. */
const READY_POLL_MS = 50;

/** A running service with a merchant and a database that no other part of the bench uses. */
export interface ServiceUnderTest {
  readonly databaseUrl: string;
  /** The base URL of the service's paths. */
  readonly url: string;
  readonly opsUrl: string;
  readonly pid: number;
  readonly database: DatabaseWatch;
  readonly settings: Readonly<Record<string, string>>;
  readonly merchant: BenchMerchant;
  readonly headers: Readonly<Record<string, string>>;
  end(): Promise<void>;
}

export interface BenchMerchant {
  readonly merchantId: string;
  readonly username: string;
  readonly password: string;
  readonly apiKey: string;
}

/** Creates a database, starts the service on it (which migrates it), and onboards a merchant. */
export async function startServiceUnderTest(
  serverUrl: string,
  moreSettings: Readonly<Record<string, string>> = {},
  options: readonly string[] = [],
): Promise<ServiceUnderTest> {
  const databaseUrl = await makeDatabase(serverUrl);
  const [port, opsPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const opsUrl = `http://127.0.0.1:${opsPort}`;
  const settings = {
    ENVIRONMENT: 'sandbox',
    DATABASE_URL: databaseUrl,
    CREDENTIALS_PEPPER: randomBytes(32).toString('base64'),
    SECRETS_KEY: randomBytes(32).toString('base64'),
    HOST: '127.0.0.1',
    PORT: `${port}`,
    OPS_PORT: `${opsPort}`,
    PUBLIC_API_URL: `${url}/v1`,
    PUBLIC_AUTH_URL: `${url}/oauth2/token`,
    PAYMENT_LINK_BASE: `${url}/pay`,
    // 0 switches the rate limits off: the bench measures the service, not its limits.
    RATE_LIMIT_WRITES: '0',
    RATE_LIMIT_READS: '0',
    RATE_LIMIT_TOKENS: '0',
    ...moreSettings,
  };
  const service = startService(settings, options);
  await waitUntilReady(`${opsUrl}/health/ready`, service);
  const [merchant] = await onboardMerchants(settings, 1);
  if (!merchant) throw new Error('No merchant was onboarded.');
  const headers = await authorize(url, merchant);
  const pid = service.pid ?? 0;
  const database = await watchDatabase(serverUrl);
  const end = async () => {
    await endChild(service);
    await database.end();
    await dropDatabase(serverUrl, databaseUrl);
  };
  return { databaseUrl, url, opsUrl, pid, database, settings, merchant, headers, end };
}

/** Starts `payreq serve` as an operator starts it. */
export function startService(
  settings: Readonly<Record<string, string>>,
  options: readonly string[] = [],
) {
  const env = { MALLOC_ARENA_MAX: '2', ...settings };
  return spawnNode([...NODE_FLAGS, CLI, 'serve', ...options], env);
}

/** Onboards merchants without a listener, one after the other. */
async function onboardMerchants(
  settings: Readonly<Record<string, string>>,
  count: number,
): Promise<BenchMerchant[]> {
  const db = connectDatabase({ url: settings.DATABASE_URL ?? '', poolSize: 1 });
  try {
    const merchants: BenchMerchant[] = [];
    while (merchants.length < count) merchants.push(await onboard(db, { ...settings }, null));
    return merchants;
  } finally {
    await db.close();
  }
}

/** The headers of as many further merchants. */
export async function authorizeOthers(
  { url, settings }: ServiceUnderTest,
  count: number,
): Promise<ServiceUnderTest['headers'][]> {
  const merchants = await onboardMerchants(settings, count);
  return Promise.all(merchants.map((merchant) => authorize(url, merchant)));
}

/** The headers of an authorised call of a merchant. */
export async function authorize(
  url: string,
  merchant: Omit<BenchMerchant, 'merchantId'>,
): Promise<Readonly<Record<string, string>>> {
  const basic = Buffer.from(`${merchant.username}:${merchant.password}`).toString('base64');
  const response = await fetch(`${url}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  return { 'x-api-key': merchant.apiKey, authorization: `Bearer ${token}` };
}

/** @throws Error when the process ends, or is not ready after START_TIMEOUT_MS */
async function waitUntilReady(url: string, service: ChildProcess): Promise<void> {
  const giveUpAt = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < giveUpAt) {
    if (service.exitCode !== null) throw new Error('The service ended during its start.');
    const response = await fetch(url).catch(() => null);
    if (response?.ok) return;
    await wait(READY_POLL_MS);
  }
  throw new Error(`${url} did not answer within ${START_TIMEOUT_MS / 1000} s.`);
}
