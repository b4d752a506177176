import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#lib/clock.ts';
import type { Environment } from '#lib/environment.ts';
import { rotatingKey } from '#lib/secret-key.ts';
import { type OnboardedMerchant, onboardMerchant } from '#merchants/onboard-merchant.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { type Answer, buyToken, callAt, settingsOf } from '../service/service.ts';
import { type ServiceProcess, startServiceProcess } from '../service/service-process.ts';
import { startHttpsListener } from '../webhooks/https-listener.ts';
import { mortalUrl, untilSessionsEnd } from './armed-process.ts';
import { createReceivedEvents, type ReceivedEvents } from './received-events.ts';

/** A deployment of processes, of which armed ones die: what its merchant asked and received. */
export interface Trial {
  readonly database: TestDatabase;
  readonly settings: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly merchant: OnboardedMerchant;
  readonly received: ReceivedEvents;
  /** The payment request that each Idempotency-Key has made, by the first answer of 201. */
  readonly created: Map<string, string>;
  /** The API process that lives on. */
  readonly url: string;
  /** A call of the merchant; of the living API process, or of another. */
  call(method: string, path: string, options?: TrialCall): Promise<Answer>;
  startBackground(): Promise<void>;
  /** The operators' listener of the living background process. */
  backgroundOpsUrl(): string;
  /** The latest lines of the living background process. */
  backgroundOutput(): string;
  stopBackground(): Promise<void>;
  close(): Promise<void>;
}

export interface TrialCall {
  readonly body?: unknown;
  readonly key?: string;
  /** Left out: the API process that lives on. */
  readonly at?: string;
}

export async function startTrial(
  environment: Environment,
  more: (folder: string) => Readonly<Record<string, string>> = () => ({}),
): Promise<Trial> {
  const folder = await mkdtemp(join(tmpdir(), 'payreq-failpoints-'));
  const received = createReceivedEvents();
  const listener = await startHttpsListener({ answering: received.answer });
  const caFile = join(folder, 'ca.pem');
  await writeFile(caFile, listener.caPem);
  const database = await createTestDatabase(environment);
  const settings: Record<string, string> = {
    ...settingsOf(environment, database.url),
    WEBHOOK_CA_FILE: caFile,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32,::1/128',
    WEBHOOK_ALLOW_PORTS: '*',
    ...more(folder),
  };
  const merchant = await onboardMerchant(
    {
      db: database.db,
      clock: systemClock,
      environment,
      cell: 1,
      credentialsPepper: rotatingKey(settings.CREDENTIALS_PEPPER ?? ''),
      secretsKey: rotatingKey(settings.SECRETS_KEY ?? ''),
      checkWebhookUrl: async () => ({ allowed: true }),
      actor: 'test',
    },
    { name: 'Harbour Books', webhookUrl: listener.url, webhookOrigins: [] },
  );
  // The endpoint made at onboarding has no events of refunds.
  await database.sql(`UPDATE webhook_endpoints SET event_types = ARRAY['*']`);
  const api = await startServiceProcess(settings, 'api');
  const { url } = api;
  const token = await buyToken(
    (method, path, how = {}) => callAt(url + path, method, how),
    merchant,
  );
  let background: ServiceProcess | undefined;
  const stopBackground = async () => {
    await background?.kill('SIGKILL');
    background = undefined;
    await untilSessionsEnd(database, 'background');
  };

  return {
    database,
    settings,
    folder,
    merchant,
    received,
    created: new Map(),
    url,
    call: (method, path, { body, key, at = url } = {}) =>
      callAt(`${at}/v1${path}`, method, {
        headers: {
          'x-api-key': merchant.apiKey,
          authorization: `Bearer ${token}`,
          ...(key && { 'idempotency-key': key }),
        },
        ...(body !== undefined && { body }),
      }),
    async startBackground() {
      await passLeases(database);
      const DATABASE_URL = mortalUrl(database.url, 'background');
      background = await startServiceProcess({ ...settings, DATABASE_URL }, 'background');
    },
    stopBackground,
    backgroundOpsUrl: () => background?.opsUrl ?? '',
    backgroundOutput: () => background?.output().slice(-LONGEST_OUTPUT) ?? '',
    async close() {
      await Promise.all([api.kill('SIGKILL'), stopBackground()]);
      await listener.close();
      await database.drop();
      await rm(folder, { recursive: true });
    },
  };
}

/** An error shows the last lines, which say what the process does. */
const LONGEST_OUTPUT = 4_000;

/** A process that died has left its leases: their ends are brought forward, not waited for. */
async function passLeases({ sql }: TestDatabase): Promise<void> {
  const statements = [
    `UPDATE webhook_deliveries SET leased_until = now() WHERE leased_until > now()`,
    `UPDATE webhook_destinations SET alone_until = now() WHERE alone_until > now()`,
    `UPDATE sandbox_steps SET claimed_until = now() WHERE claimed_until > now()`,
    `UPDATE messages SET leased_until = now() WHERE leased_until > now()`,
    `UPDATE refunds SET next_poll_at = now() WHERE next_poll_at > now()`,
    `UPDATE network_requests SET next_look_at = now() WHERE next_look_at > now()`,
  ];
  for (const statement of statements) await sql(statement);
}

let keys = 0;
export const newKey = (): string => `key-${++keys}`;

/** A payment request that the living process creates and answers. */
export async function createOne(trial: Trial, name: string, more: object = {}): Promise<string> {
  const key = newKey();
  const answer = await trial.call('POST', '/payment-requests', { key, body: bodyOf(name, more) });
  assert.equal(answer.status, 201, answer.text);
  trial.created.set(key, answer.json.id);
  return answer.json.id;
}

export const bodyOf = (name: string, more: object = {}) => ({
  amount: 12.34,
  type: 'ECOMM',
  payer: { name, email: 'ada@example.com' },
  ...more,
});
