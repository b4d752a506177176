import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../../scripts/toolchain/node-flags.mjs';
import { connectDatabase } from '../../service/src/database/database.ts';
import { freePort } from '../child-processes/free-port.ts';
import { endChild, spawnNode } from '../child-processes/start-child.ts';
import { dropDatabase, makeDatabase } from './make-database.ts';
import { onboard } from './onboard.ts';

const CLI = fileURLToPath(new URL('../../service/src/cli.ts', import.meta.url));
const PATIENCE_MS = 60_000;

/** A service of its own with a merchant, on a database of its own. */
export interface Stage {
  readonly databaseUrl: string;
  /** Where the service's paths are answered. */
  readonly url: string;
  readonly opsUrl: string;
  readonly pid: number;
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

/** Makes a database, migrates it, starts the service on it, and onboards a merchant. */
export async function setStage(
  serverUrl: string,
  moreSettings: Readonly<Record<string, string>> = {},
  options: readonly string[] = [],
): Promise<Stage> {
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
    // What is measured is the service, not its budgets; the log goes where a collector reads it.
    RATE_LIMIT_WRITES: '0',
    RATE_LIMIT_READS: '0',
    RATE_LIMIT_TOKENS: '0',
    ...moreSettings,
  };
  const service = startService(settings, options);
  await answers(`${opsUrl}/health/ready`, service);
  const merchant = await onboardOne(settings);
  const headers = await authorize(url, merchant);
  const pid = service.pid ?? 0;
  const end = async () => {
    await endChild(service);
    await dropDatabase(serverUrl, databaseUrl);
  };
  return { databaseUrl, url, opsUrl, pid, settings, merchant, headers, end };
}

/** `payreq serve`, as an operator starts it. */
export function startService(
  settings: Readonly<Record<string, string>>,
  options: readonly string[] = [],
) {
  return spawnNode([...NODE_FLAGS, CLI, 'serve', ...options], settings);
}

async function onboardOne(settings: { readonly DATABASE_URL: string }): Promise<BenchMerchant> {
  const db = connectDatabase({ url: settings.DATABASE_URL, poolSize: 1 });
  return onboard(db, { ...settings }, null).finally(() => db.close());
}

async function authorize(url: string, merchant: BenchMerchant) {
  const basic = Buffer.from(`${merchant.username}:${merchant.password}`).toString('base64');
  const response = await fetch(`${url}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  return { 'x-api-key': merchant.apiKey, authorization: `Bearer ${token}` };
}

/** Waits until it answers well. */
async function answers(url: string, service: ChildProcess): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (performance.now() < giveUpAt) {
    if (service.exitCode !== null) throw new Error('the service ended at its start');
    const response = await fetch(url).catch(() => null);
    if (response?.ok) return;
    await wait(50);
  }
  throw new Error(`${url} did not answer within ${PATIENCE_MS / 1000} s`);
}
