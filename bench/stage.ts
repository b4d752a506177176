import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const CLI = fileURLToPath(new URL('../service/src/cli.ts', import.meta.url));
const BARE_HTTP = fileURLToPath(new URL('limits/bare-http.ts', import.meta.url));
const PATIENCE_MS = 30_000;

/** What all measures share: a sandbox service of its own, a merchant, and the bare limit. */
export interface Stage {
  readonly databaseUrl: string;
  /** Where the service's paths are answered. */
  readonly url: string;
  readonly opsUrl: string;
  readonly pid: number;
  readonly settings: Readonly<Record<string, string>>;
  readonly merchant: BenchMerchant;
  readonly headers: Readonly<Record<string, string>>;
  /** The bare server, once a create's answer is known. */
  bareUrl(answer: string): Promise<string>;
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
  folder: string,
  moreSettings: Readonly<Record<string, string>> = {},
): Promise<Stage> {
  const children: ChildProcess[] = [];
  const databaseUrl = await makeDatabase(serverUrl);
  const [port, opsPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
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
  const service = spawn(process.execPath, [CLI, 'serve'], {
    env: { PATH: process.env.PATH ?? '', ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  children.push(service);
  // However the run ends, what it started ends with it.
  process.once('exit', () => {
    for (const child of children) child.kill('SIGKILL');
  });
  await answers(`http://127.0.0.1:${opsPort}/health/ready`);
  const merchant = await onboard(settings);
  let bare: Promise<string> | undefined;
  return {
    databaseUrl,
    url,
    opsUrl: `http://127.0.0.1:${opsPort}`,
    pid: service.pid ?? 0,
    settings,
    merchant,
    headers: await authorize(url, merchant),
    bareUrl(answer) {
      bare ??= startBare(answer, folder, children);
      return bare;
    },
    async end() {
      await Promise.all(children.map(endChild));
    },
  };
}

async function makeDatabase(serverUrl: string): Promise<string> {
  const name = `payreq_bench_${randomBytes(4).toString('hex')}`;
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function onboard(settings: Readonly<Record<string, string>>): Promise<BenchMerchant> {
  const child = spawn(process.execPath, [CLI, 'merchant', 'create', '--name', 'Bench', '--json'], {
    env: { PATH: process.env.PATH ?? '', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const chunk of child.stdout) output += chunk;
  return JSON.parse(output);
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

async function startBare(answer: string, folder: string, children: ChildProcess[]) {
  const file = join(folder, 'answer.json');
  writeFileSync(file, answer);
  const port = await freePort();
  const child = spawn(process.execPath, [BARE_HTTP, `${port}`, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return `http://127.0.0.1:${port}/`;
}

async function answers(url: string): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (performance.now() < giveUpAt) {
    const response = await fetch(url).catch(() => null);
    if (response?.ok) return;
    await wait(50);
  }
  throw new Error(`${url} did not answer within ${PATIENCE_MS / 1000} s`);
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const over = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await over;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
