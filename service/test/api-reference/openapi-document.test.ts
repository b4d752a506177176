import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { OUTCOME_DESCRIPTIONS } from '#sandbox/outcome-descriptions.ts';
import { OUTCOME_NAMES } from '#sandbox/outcomes.ts';
import { EVENT_TYPES } from '#webhooks/model/event-types.ts';
import { startTestService, type TestService } from '../support/service/service.ts';

let sandbox: TestService;
let production: TestService;
let folder: string;

before(async () => {
  sandbox = await startTestService();
  production = await startTestService({ environment: 'production' });
  folder = await mkdtemp(join(tmpdir(), 'openapi-'));
});
after(async () => {
  await sandbox.stop();
  await production.stop();
  await rm(folder, { recursive: true });
});

const get = (service: TestService, headers: Record<string, string> = {}) =>
  service.call('GET', '/openapi.json', { headers });

/** The findings of Redocly's linter, errors and warnings alike. */
async function lint(text: string): Promise<{ ruleId: string; message: string }[]> {
  const file = join(folder, 'openapi.json');
  await writeFile(file, text);
  const cli = join(createRequire(import.meta.url).resolve('@redocly/cli/package.json'), '..');
  const output = await new Promise<string>((resolve, reject) => {
    execFile(
      process.execPath,
      [join(cli, 'bin', 'cli.js'), 'lint', file, '--format=json'],
      {
        cwd: folder,
        env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' },
        timeout: 60_000,
      },
      (error, stdout, stderr) =>
        stdout.startsWith('{') ? resolve(stdout) : reject(error ?? new Error(stderr)),
    );
  });
  return JSON.parse(output).problems;
}

describe('the OpenAPI document', () => {
  it('has nothing that Redocly’s linter warns of', async () => {
    for (const service of [sandbox, production]) {
      assert.deepEqual(await lint((await get(service)).text), []);
    }
  });

  it('is found faulty by that linter when it is', async () => {
    const { json } = await get(sandbox);
    delete json.info.license;
    json.paths['/v1/payment-requests'].post.responses['201'].content[
      'application/json'
    ].schema.$ref = '#/components/schemas/Nothing';
    const rules = (await lint(JSON.stringify(json))).map(({ ruleId }) => ruleId);
    assert.ok(rules.includes('info-license') && rules.includes('no-unresolved-refs'), `${rules}`);
  });

  it('knows every call of the contract, by address and method', async () => {
    const { json } = await get(sandbox);
    const calls = Object.entries<Record<string, { tags: string[] }>>(json.paths).flatMap(
      ([path, operations]) =>
        Object.entries(operations)
          .filter(([, { tags }]) => tags[0] !== 'Webhooks')
          .map(([method]) => `${method} ${path}`),
    );
    assert.deepEqual(calls, [
      'post /oauth2/token',
      'get /.well-known/jwks.json',
      'get /.well-known/oauth-authorization-server',
      'post /v1/payment-requests',
      'get /v1/payment-requests',
      'get /v1/payment-requests/{id}',
      'patch /v1/payment-requests/{id}',
      'post /v1/payment-requests/{id}/messages',
      'get /v1/payment-requests/{id}/messages',
      'get /v1/payment-requests/{id}/timeline',
      'post /v1/payment-requests/{id}/cancellation',
      'post /v1/payment-requests/{id}/refunds',
      'get /v1/payment-requests/{id}/refunds',
      'get /v1/refunds',
      'get /v1/refunds/{id}',
      'get /v1/ledger-entries',
      'get /v1/reports/reconciliation',
      'post /v1/sandbox/refunds/{id}/simulations',
      'post /v1/sandbox/payment-requests/{id}/advance',
      'post /v1/sandbox/payment-requests/{id}/simulations',
    ]);
    assert.deepEqual(Object.keys(json.webhooks), EVENT_TYPES);
  });

  it('has one server for every call, because client generators read no other', async () => {
    const { json } = await get(sandbox);
    assert.deepEqual(json.servers, [{ url: 'https://pay.test', description: 'Sandbox' }]);
    for (const [path, operations] of Object.entries<Record<string, object>>(json.paths)) {
      for (const each of Object.values(operations)) assert.ok(!('servers' in each), path);
    }
    const { tokenUrl } = json.components.securitySchemes.accessToken.flows.clientCredentials;
    assert.equal(tokenUrl, 'https://pay.test/oauth2/token');
  });

  it('names the server of a token call with an origin of its own', async () => {
    const settings = { PUBLIC_AUTH_URL: 'https://login.test/oauth2/token' };
    const service = await startTestService({ settings });
    try {
      const { json } = await get(service);
      assert.deepEqual(json.servers, [{ url: 'https://pay.test', description: 'Sandbox' }]);
      const named = Object.entries<Record<string, { servers?: unknown }>>(json.paths).flatMap(
        ([path, operations]) =>
          Object.values(operations).flatMap(({ servers }) => (servers ? [[path, servers]] : [])),
      );
      assert.deepEqual(named, [['/oauth2/token', [{ url: 'https://login.test' }]]]);
    } finally {
      await service.stop();
    }
  });

  it('describes every call, and says whom to ask', async () => {
    const { json } = await get(sandbox);
    for (const operations of Object.values<Record<string, { description?: string }>>(json.paths)) {
      for (const each of Object.values(operations)) {
        assert.ok((each.description?.length ?? 0) > 20, JSON.stringify(each).slice(0, 200));
      }
    }
    assert.equal(json.info.contact.url, 'https://pay.test/docs');
  });

  it('shows a signature that others compute from the same secret and body', async () => {
    const { description } = (await get(production)).json.info;
    const shown = (part: string) => {
      const value = new RegExp(`\\| ${part} \\| \`([^\`]+)\` \\|`).exec(description)?.[1];
      assert.ok(value, part);
      return value;
    };
    const [id, body] = [shown('webhook-id'), shown('body')];
    const sentAt = new Date(Number(shown('webhook-timestamp')) * 1_000);
    const signature = new Webhook(shown('signing secret')).sign(id, sentAt, body);
    assert.equal(shown('webhook-signature'), signature);
    assert.notEqual(JSON.stringify(JSON.parse(body)), body, 'a parsed copy must not verify');
  });

  it('tells the sandbox’s names and calls in the sandbox only', async () => {
    const [inSandbox, inProduction] = [await get(sandbox), await get(production)];
    assert.match(inSandbox.text, /depositSubmit/);
    assert.match(inSandbox.text, /simulations/);
    assert.doesNotMatch(inProduction.json.info.description, /depositSubmit/);
    assert.doesNotMatch(inProduction.text, /simulations/);
  });

  it('describes every outcome that the simulator knows', () => {
    const described = OUTCOME_DESCRIPTIONS.map(([name]) => name.split(':')[0]);
    assert.deepEqual(new Set(described), new Set(OUTCOME_NAMES));
  });

  it('is the same bytes each time, and 304 for a caller that has them', async () => {
    const [first, second] = [await get(sandbox), await get(sandbox)];
    assert.equal(first.text, second.text);
    const etag = first.headers.get('etag') ?? '';
    assert.match(etag, /^"[\w-]{43}-gzip"$/);
    assert.match(first.headers.get('cache-control') ?? '', /^public, max-age=\d+$/);
    const known = await get(sandbox, { 'if-none-match': `"other", ${etag}` });
    assert.deepEqual([known.status, known.text], [304, '']);
    assert.equal((await get(sandbox, { 'if-none-match': '"other"' })).status, 200);
  });

  it('is answered as soon to a caller that sends tags with thousands of spaces', async () => {
    const timeOf = async (header: string) => {
      const startedMs = performance.now();
      for (let calls = 0; calls < 10; calls++) await get(sandbox, { 'if-none-match': header });
      return performance.now() - startedMs;
    };
    const plainMs = await timeOf(`a${'-'.repeat(15_000)}b`);
    // A search that goes back takes 100 ms a call, with every other call waiting behind it.
    const spacedMs = await timeOf(`a${' '.repeat(15_000)}b`);
    assert.ok(spacedMs < 5 * plainMs + 100, `${spacedMs} ms, and ${plainMs} ms without spaces`);
  });
});
