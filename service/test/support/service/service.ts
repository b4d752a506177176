import { randomBytes } from 'node:crypto';
import { databaseReadings } from '#compose/database-readings.ts';
import { ROLES } from '#compose/foundation.ts';
import { DatabaseUnavailable } from '#database/database.ts';
import type { MakeNetwork } from '#e-transfer/e-transfer-network.ts';
import { type DatabaseClock, systemClock } from '#lib/clock.ts';
import type { Environment } from '#lib/environment.ts';
import { slowLoops } from '#lib/loop.ts';
import { type OnboardedMerchant, onboardMerchant } from '#merchants/onboard-merchant.ts';
import { createLog } from '#telemetry/log/log.ts';
import type { DatabaseReading } from '#telemetry/metrics/database-gauges.ts';
import { readConfig } from '../../../src/config.ts';
import { type RunningService, startService } from '../../../src/start-service.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import { type Canaries, collectCanaries } from '../privacy/canaries.ts';
import { readKeptTexts } from '../privacy/read-kept-texts.ts';
import { type AnswerCheck, answerCheckOf } from '../schemas/check-answer.ts';
import { callOnce } from './call-once.ts';

/** A merchant with everything a call needs; `token` is bought through the token call. */
export interface TestMerchant extends OnboardedMerchant {
  readonly token: string;
  /** The headers of an authorised call. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface TestService {
  readonly database: TestDatabase;
  readonly clock: FakeClock;
  /** `http://127.0.0.1:port`: where the paths of the public addresses are answered. */
  readonly url: string;
  readonly opsUrl: string;
  readonly publicApiUrl: string;
  readonly env: Readonly<Record<string, string>>;
  readonly logLines: Record<string, unknown>[];
  /** Values of the test’s calls and browsers that no log line may show. */
  readonly canaries: Canaries;
  /**
   * Moves the service's and the database's clock together and wakes every loop that would run
   * within that time. Waits until no webhook attempt is under way.
   */
  advance(seconds: number): Promise<void>;
  /** Moves the clocks at once, also in the middle of a webhook attempt. */
  leap(seconds: number): Promise<void>;
  createMerchant(options?: Partial<MerchantOptions>): Promise<TestMerchant>;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  stop(): Promise<void>;
}

export interface MerchantOptions {
  readonly name: string;
  readonly webhookUrl: string | null;
  readonly webhookOrigins: readonly string[];
  readonly returnOrigins: readonly string[];
  readonly uniqueTransactionIds: boolean;
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON; text and bytes as they are. */
  readonly body?: unknown;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body. */
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it finds
  readonly json: any;
}

export interface TestServiceOptions {
  readonly environment?: Environment;
  readonly settings?: Readonly<Record<string, string>>;
  readonly start?: Date;
  /** A database that the test made, with a clock of its own that stands at `start`. */
  readonly database?: TestDatabase;
  /** The clock of a host that is compared with the database's; the fake one is not. */
  readonly hostClock?: DatabaseClock;
  /** Loops that a test wants to be off are left out. */
  readonly roles?: readonly (typeof ROLES)[number][];
  /** Takes the chair of the simulated network. */
  readonly makeNetwork?: MakeNetwork;
}

const MOST_ATTEMPTS = 10;
const DOCUMENT_PATH = '/openapi.json';
/**
 * Each environment with its settings has one check: the first such service of this process makes
 * its document.
 */
const checks: Record<string, Promise<AnswerCheck>> = {};
/**
 * A clock that a test moves wakes the loops, and so do calls whose work should begin soon. Polls at
 * the pace of the world took 46 ms of CPU a second, and found nothing. Loops that tidy up run each
 * minute: half of the statements of a move by a second were theirs. The first runs of all loops in a
 * new database found nothing either, and took a third of the CPU of a start.
 */
const SLOWLY = { factor: 5, upToMs: 5_000, seldomFromMs: 60_000 };
const START = new Date('2026-03-01T12:00:00.000Z');

/** The whole service in this process: real HTTP, a real database of its own, a clock to move. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const { environment = 'sandbox', settings = {}, start = START } = options;
  const database = options.database ?? (await createTestDatabase(environment, start));
  const clock = createFakeClock(start);
  const env = { ...settingsOf(environment, database.url), ...settings };
  const config = readConfig(env);
  const logLines: Record<string, unknown>[] = [];
  // The check's own look at the document is none of a test's lines.
  const keepLine = (line: Record<string, unknown>) => {
    if (line.route !== DOCUMENT_PATH) logLines.push(line);
  };
  const log = createLog({
    level: 'info',
    destination: { write: (line: string) => keepLine(JSON.parse(line)) },
  });
  const canaries = collectCanaries();
  const readings = [...databaseReadings(config)];
  let running: RunningService;
  slowLoops(options.hostClock ? null : { ...SLOWLY, startsPaused: !options.database });
  try {
    const { roles = ROLES, makeNetwork, hostClock } = options;
    const parts = { config, roles, clock: hostClock ?? clock, log, readings };
    running = await onceConnected(() =>
      startService({ ...parts, ...(makeNetwork && { makeNetwork }) }),
    );
  } catch (error) {
    await database.drop();
    throw error;
  } finally {
    slowLoops(null);
  }
  const url = `http://127.0.0.1:${running.port}`;
  const kind = JSON.stringify([environment, settings]);
  const readDocument = async () =>
    answerCheckOf((await callAt(`${url}${DOCUMENT_PATH}`, 'GET', {})).text);
  /** Every answer is held to the service's own OpenAPI document. */
  const call = async (method: string, path: string, how: CallOptions = {}) => {
    const answer = await callAt(url + path, method, how);
    canaries.see(how.body);
    canaries.see(answer.json);
    if (answer.status >= 400) canaries.assertAbsent(answer.text, `the answer ${answer.status}`);
    checks[kind] ??= readDocument().catch((error) => {
      delete checks[kind];
      throw error;
    });
    (await checks[kind])({ ...answer, method, path: path.split('?')[0] ?? '' });
    return answer;
  };

  return {
    database,
    clock,
    url,
    opsUrl: `http://127.0.0.1:${running.opsPort}`,
    publicApiUrl: config.publicApiUrl,
    env,
    logLines,
    canaries,
    call,
    async advance(seconds) {
      const then = new Date(clock.now().getTime() + seconds * 1000);
      await database.setNowBetweenAttempts(then, () => clock.advance(seconds * 1000));
      running.wake(seconds * 1000);
    },
    async leap(seconds) {
      clock.advance(seconds * 1000);
      await database.setNow(clock.now());
      running.wake(seconds * 1000);
    },
    async createMerchant(asked = {}) {
      const deps = {
        db: database.db,
        clock: systemClock,
        environment,
        cell: config.cell,
        credentialsPepper: config.credentialsPepper,
        secretsKey: config.secretsKey,
        checkWebhookUrl: async () => ({ allowed: true }) as const,
        isLocal: config.isLocal,
        actor: 'test',
      };
      const wanted = { name: 'Demo Shop', webhookUrl: null, webhookOrigins: [], ...asked };
      const onboarded = await onceConnected(() => onboardMerchant(deps, wanted));
      const token = await buyToken(call, onboarded);
      canaries.see(onboarded);
      return {
        ...onboarded,
        token,
        headers: { 'x-api-key': onboarded.apiKey, authorization: `Bearer ${token}` },
      };
    },
    /**
     * Privacy: no log line, metric or row about an act of the whole run shows a payer or a secret.
     */
    async stop() {
      // Gauges of closed lists hold numbers alone, and their statements took 27 ms of a stop.
      readings.splice(0, Number.POSITIVE_INFINITY, ...readings.filter(hasOpenLabel));
      const metrics = await readMetrics(running.opsPort, env.OPS_TOKEN);
      await running.stop();
      const kept = await readKeptTexts(database);
      await database.drop();
      canaries.assertAbsent(metrics, 'the metrics');
      for (const line of logLines) canaries.assertAbsent(JSON.stringify(line), 'a log line');
      for (const { place, text } of kept) canaries.assertAbsent(text, place);
    },
  };
}

/** Whether a value of a label comes from the database, and so could show a secret. */
const hasOpenLabel = ({ gauges }: DatabaseReading) =>
  gauges.some(({ label }) => label?.values === null);

/** A busy machine connects later than the service waits: the act is tried again. */
export async function onceConnected<Result>(act: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act();
    } catch (error) {
      const mayTryAgain = error instanceof DatabaseUnavailable && !error.mayBeDone;
      if (!mayTryAgain || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

async function readMetrics(opsPort: number | null, opsToken = ''): Promise<string> {
  const headers = { authorization: `Bearer ${opsToken}` };
  return (await callOnce(`http://127.0.0.1:${opsPort}/metrics`, { headers })).text;
}

/** Settings of a service under test; its public addresses are not where it listens. */
export function settingsOf(environment: Environment, databaseUrl: string): Record<string, string> {
  return {
    ENVIRONMENT: environment,
    DATABASE_URL: databaseUrl,
    CREDENTIALS_PEPPER: randomBytes(32).toString('base64'),
    SECRETS_KEY: randomBytes(32).toString('base64'),
    HOST: '127.0.0.1',
    PORT: '0',
    OPS_PORT: '0',
    // A test makes few calls at once; each connection more costs its first plans.
    DATABASE_POOL_SIZE: '4',
    PUBLIC_API_URL: 'https://pay.test/v1',
    PUBLIC_AUTH_URL: 'https://pay.test/oauth2/token',
    PAYMENT_LINK_BASE: 'https://pay.test/pay',
    RATE_LIMIT_WRITES: '0',
    RATE_LIMIT_READS: '0',
    RATE_LIMIT_TOKENS: '0',
    ...(environment === 'production' && {
      E_TRANSFER_NETWORK: 'simulated',
      ALLOW_SIMULATED_NETWORK: 'yes',
    }),
  };
}

export async function buyToken(
  call: TestService['call'],
  { username, password }: { readonly username: string; readonly password: string },
  scope?: string,
): Promise<string> {
  const answer = await call('POST', '/oauth2/token', {
    headers: {
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      ...(scope && { scope }),
    }).toString(),
  });
  if (answer.status !== 200) throw new Error(`The token call answered ${answer.text}`);
  return answer.json.access_token;
}

/** Makes a call over HTTP and reads its whole answer. */
export async function callAt(
  url: string,
  method: string,
  { headers, body }: CallOptions,
): Promise<Answer> {
  const isPlain = typeof body === 'string' || body instanceof Uint8Array || body === undefined;
  const answer = await callOnce(url, {
    method,
    headers: { ...(!isPlain && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: isPlain ? (body as string) : JSON.stringify(body) }),
  });
  const isJson = /json/.test(answer.headers.get('content-type') ?? '');
  return { ...answer, json: isJson && answer.text !== '' ? JSON.parse(answer.text) : undefined };
}
