import { randomBytes } from 'node:crypto';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { type Access, type AccessDeps, createAccess } from '#access/create-access.ts';
import { registerJwksRoutes } from '#access/jwks-routes.ts';
import { registerServerMetadataRoutes } from '#access/metadata-routes.ts';
import { declareMerchant, requireMerchant } from '#access/require-merchant.ts';
import { declareSignIn } from '#access/sign-in.ts';
import { registerTokenRoutes } from '#access/token/routes.ts';
import { registerErrorHandler } from '#http/problems/error-handler.ts';
import type { Environment } from '#lib/environment.ts';
import { type RotatingKey, rotatingKey } from '#lib/secret-key.ts';
import { type OnboardedMerchant, onboardMerchant } from '#merchants/onboard-merchant.ts';
import { createFailureLimit } from '#rate-limits/failure-limit.ts';
import { createMerchantBudget } from '#rate-limits/merchant-budget.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';

/** A deployment for the access rules: a database, a clock and any number of processes. */
export interface Deployment {
  readonly database: TestDatabase;
  readonly clock: FakeClock;
  readonly environment: Environment;
  readonly cell: number;
  readonly publicAuthUrl: string;
  readonly publicApiUrl: string;
  readonly credentialsPepper: RotatingKey;
  readonly secretsKey: RotatingKey;
  readonly actor: string;
  /** Starts one more process of the service: its own memory, its own port. */
  startProcess(other?: Partial<AccessDeps>): Promise<Process>;
  onboard(name?: string): Promise<OnboardedMerchant>;
  stop(): Promise<void>;
}

export interface Process {
  readonly access: Access;
  readonly origin: string;
  call(path: string, options?: CallOptions): Promise<Answer>;
  /** A token call as the specification has it, with anything replaced. */
  askToken(client: Client, form?: Record<string, string>): Promise<Answer>;
  /** A token for this client, or a failed assertion's error. */
  token(client: Client, scope?: string): Promise<string>;
  /** A merchant's call with both headers; needs `payment_request/read`. */
  read(apiKey: string, token: string): Promise<Answer>;
}

export interface Client {
  readonly username: string;
  readonly password: string;
}

export interface CallOptions {
  readonly method?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any answer
  readonly json: any;
}

export const FORM = 'application/x-www-form-urlencoded';

export async function createDeployment(
  environment: Environment = 'sandbox',
  port = environment === 'sandbox' ? 4010 : 4020,
  cell = 1,
): Promise<Deployment> {
  const database = await createTestDatabase(environment);
  const clock = createFakeClock();
  const apps: FastifyInstance[] = [];
  const needs = {
    db: database.db,
    clock,
    environment,
    cell,
    publicAuthUrl: `http://localhost:${port}/oauth2/token`,
    publicApiUrl: `http://localhost:${port}/v1`,
    credentialsPepper: rotatingKey(randomBytes(32).toString('base64')),
    secretsKey: rotatingKey(randomBytes(32).toString('base64')),
    actor: 'test',
    metrics: { batched: () => {} },
  };
  return {
    ...needs,
    database,
    async startProcess(other) {
      const access = createAccess({ ...needs, ...other });
      const app = Fastify();
      apps.push(app);
      return listen(app, access, 0);
    },
    onboard: (name = 'Maple Bikes') =>
      onboardMerchant(
        { ...needs, checkWebhookUrl: async () => ({ allowed: true }) },
        { name, webhookUrl: null, webhookOrigins: [] },
      ),
    async stop() {
      await Promise.all(apps.map((app) => app.close()));
      await database.drop();
    },
  };
}

async function listen(app: FastifyInstance, access: Access, port: number): Promise<Process> {
  registerErrorHandler(app, { origin: 'http://localhost:4010', clock: access.clock });
  declareMerchant(app);
  declareSignIn(app);
  registerTokenRoutes(app, {
    ...access,
    tokenLimits: {
      budget: createMerchantBudget({ ...access, kind: 'tokens', limit: 0 }),
      failures: createFailureLimit({ ...access, limit: 0 }),
    },
  });
  registerJwksRoutes(app, access);
  registerServerMetadataRoutes(app, { ...access, origin: 'http://localhost:4010' });
  app.get(
    '/v1/read',
    { onRequest: requireMerchant(access, ['payment_request/read']) },
    async (request) => ({ merchantId: request.merchant.id }),
  );
  app.get(
    '/v1/either',
    { onRequest: requireMerchant(access, ['payment_request/read', 'event/read']) },
    async (request) => ({ merchantId: request.merchant.id }),
  );
  app.post(
    '/v1/write',
    { onRequest: requireMerchant(access, ['payment_request/write']) },
    async (request) => ({ merchantId: request.merchant.id }),
  );
  await app.listen({ port, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const call = (path: string, options?: CallOptions) => exchange(origin + path, options);

  const askToken = (client: Client, form: Record<string, string> = {}) =>
    call('/oauth2/token', {
      method: 'POST',
      headers: { authorization: basic(client), 'content-type': FORM },
      body: String(new URLSearchParams({ grant_type: 'client_credentials', ...form })),
    });
  return {
    access,
    origin,
    call,
    askToken,
    async token(client, scope = 'payment_request/all') {
      const answer = await askToken(client, { scope });
      if (answer.status !== 200) throw new Error(`No token: ${answer.status} ${answer.text}`);
      return answer.json.access_token;
    },
    read: (apiKey, token) =>
      call('/v1/read', { headers: { 'x-api-key': apiKey, authorization: `Bearer ${token}` } }),
  };
}

export function basic({ username, password }: Client): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** Sends one call by Node's own client, which can send a header twice. */
function exchange(url: string, { method = 'GET', headers = {}, body }: CallOptions = {}) {
  return new Promise<Answer>((resolve, reject) => {
    const request = httpRequest(url, { method, headers, agent: false }, (response) => {
      response.setEncoding('utf8');
      let text = '';
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', reject);
      response.on('end', () => {
        const isJson = response.headers['content-type']?.includes('json') ?? false;
        const json = isJson ? JSON.parse(text) : undefined;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}
