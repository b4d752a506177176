import assert from 'node:assert/strict';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as sdk from '@payment-requests/sdk';
import { type Client, createClient, makeTestWebhook } from '@payment-requests/sdk';
import { runCommand } from '../../../sdk/test/packed-sdk.ts';
import { readShownCalls } from '../support/call-examples/shown-calls.ts';
import { eventually } from '../support/eventually.ts';
import { type HttpsListener, startHttpsListener } from '../support/webhooks/https-listener.ts';
import { startWebhookService, type WebhookService } from '../support/webhooks/webhook-service.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SOURCES = join(ROOT, 'sdk', 'src');

interface Example {
  readonly name: string;
  readonly code: string;
}

/** Names that an example may use without an import. */
const GIVEN = {
  client: 'Client',
  paymentRequestId: 'string',
  refundId: 'string',
  webhookEndpointId: 'string',
  webhookDeliveryId: 'string',
  credentials: 'ListenerCredentials',
  request: '{ headers: Readonly<Record<string, string>> }',
  body: 'string',
} as const;

const all = [...examplesOfSources(), ...examplesOfReadme()];
const onPages = all.filter(({ code }) => code.includes('addEventListener'));
const onServers = all.filter((example) => !onPages.includes(example));

describe('the examples in the SDK’s documentation', () => {
  let folder: string;
  let service: WebhookService;
  let listener: HttpsListener;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sdk-examples-'));
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    service = await startWebhookService();
    listener = await startHttpsListener({ authority: service.authority });
  });
  after(async () => {
    await listener?.close();
    await service?.stop();
    rmSync(folder, { recursive: true });
  });

  it('are there for every call of the client and for every function', () => {
    const documented = all.map(({ name }) => name).join(' ');
    const functions = Object.entries(sdk).filter(
      ([, value]) => typeof value === 'function' && !`${value}`.startsWith('class'),
    );
    const client = createClient({
      baseUrl: 'https://pay.test/v1',
      authUrl: 'https://pay.test/oauth2/token',
      username: '-',
      password: '-',
      apiKey: '-',
    });
    for (const name of [...functions.map(([name]) => name), ...Object.keys(client)]) {
      assert.match(documented, new RegExp(`\\b${name}\\b`), `${name} has no example`);
    }
  });

  it('compile', async () => {
    for (const [index, { code }] of onServers.entries()) {
      writeFileSync(join(folder, `server-${index}.ts`), moduleOf(code));
    }
    for (const [index, { code }] of onPages.entries()) {
      writeFileSync(join(folder, `page-${index}.ts`), pageOf(code));
    }
    const compilerOptions = {
      ...{ strict: true, noEmit: true, module: 'nodenext', target: 'esnext', skipLibCheck: true },
      ...{
        lib: ['esnext', 'dom'],
        types: ['node'],
        allowJs: true,
        allowImportingTsExtensions: true,
      },
    };
    for (const { id, code } of await readShownCalls(service)) {
      writeFileSync(join(folder, `reference-${id}.ts`), `${code.TypeScript}\nexport {};\n`);
    }
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['*.ts'] }),
    );
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    await runCommand('tsc', ['-p', folder], folder);
  });

  for (const [index, { name, code }] of onServers.entries()) {
    it(`run: ${name}`, async (test) => {
      const log = test.mock.method(console, 'log', () => {});
      const merchant = await service.createMerchant();
      const { username, password, apiKey } = merchant;
      const addresses = { baseUrl: `${service.url}/v1`, authUrl: `${service.url}/oauth2/token` };
      const client = createClient({ ...addresses, username, password, apiKey });
      const payer = { name: 'Ada', email: 'ada@example.com' };
      const { id } = await client.createPaymentRequest({ amount: 100, payer });
      const refundIds = /Refund/.test(code) ? await refundPart(service, client, id) : {};
      const needsEndpoint = /webhook(Endpoint|Deliver)/i.test(code);
      const webhookIds = needsEndpoint ? await registerEndpoint(client, listener.url) : {};
      const credentials = { username, password, signingSecret: `whsec_${'A'.repeat(24)}` };
      const webhook = await makeTestWebhook({}, credentials);
      const given = {
        client,
        paymentRequestId: id,
        ...webhookIds,
        ...refundIds,
        credentials,
        request: webhook,
        body: webhook.body,
      };
      Object.assign(globalThis, { given });
      const file = join(folder, `run-${index}.ts`);
      const real = code
        .replaceAll('https://pay.example.com', service.url)
        .replaceAll('https://shop.example.com/webhooks', listener.url)
        .replaceAll('prd_username', username)
        .replaceAll('prd_password', password)
        .replaceAll('prd_api_key', apiKey);
      writeFileSync(file, moduleOf(real));
      await import(pathToFileURL(file).href);
      const printed = log.mock.calls.flatMap((call) => call.arguments);
      assert.ok(!printed.includes(false), `it printed ${printed}`);
      if (code.includes('console.log')) assert.ok(printed.length > 0, 'it printed nothing');
    });
  }
});

/** Pays a payment request, and gives a part back. */
async function refundPart(service: WebhookService, client: Client, id: string) {
  await client.simulateOutcome(id, { outcome: 'PAID' });
  const { id: refundId } = await client.createRefund(id, { amount: 1 });
  await eventually(async () => {
    await service.advance(5);
    return (await client.getRefund(refundId)).status === 'COMPLETED';
  }, 'the refund');
  return { refundId };
}

/** Registers an endpoint that has one delivery. */
async function registerEndpoint(client: Client, url: string) {
  const { id: webhookEndpointId } = await client.createWebhookEndpoint({ url: `${url}/given` });
  const { id: webhookDeliveryId } = await client.testWebhookEndpoint(webhookEndpointId);
  return { webhookEndpointId, webhookDeliveryId };
}

function examplesOfSources(): Example[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => /\.(ts|js)$/.test(file));
  return sources.flatMap((file) => {
    const text = readFileSync(join(SOURCES, file), 'utf8');
    const found = text.matchAll(/@example\n((?: *\*(?!\/).*\n)+) *\*\/\n([^\n]*)/g);
    return [...found].map(([, lines = '', declared = '']) => ({
      name: `${file}: ${declared.trim()}`,
      code: lines.replace(/^ *\* ?/gm, ''),
    }));
  });
}

function examplesOfReadme(): Example[] {
  const text = readFileSync(join(SOURCES, '..', 'README.md'), 'utf8');
  const server = [...text.matchAll(/```ts\n([^`]+)```/g)];
  const page = [...text.matchAll(/<script type="module">\n([^`]+)<\/script>/g)];
  return [...server, ...page].map(([, code = ''], index) => ({
    name: `README ${index + 1}`,
    code,
  }));
}

/** A module in which the example finds all that it uses and does not declare. */
function moduleOf(code: string): string {
  const uses = (name: string) => new RegExp(`\\b${name}\\b`).test(code);
  const declares = (name: string) => new RegExp(`(const |import \\{[^}]*)\\b${name}\\b`).test(code);
  const given = Object.entries(GIVEN).filter(([name]) => uses(name) && !declares(name));
  const imported = Object.keys(sdk).filter((name) => uses(name) && !declares(name));
  return [
    `import { ${imported.join(', ')} } from '@payment-requests/sdk';`,
    "import type { AnyWebhookEvent, Client, ListenerCredentials } from '@payment-requests/sdk';",
    ...given.map(
      ([name, type]) => `const ${name} = (globalThis as { given?: any }).given.${name} as ${type};`,
    ),
    code,
    'export {};',
  ].join('\n');
}

function pageOf(code: string): string {
  return [
    code.includes('import {')
      ? ''
      : "import { openCheckout } from '@payment-requests/sdk/checkout';",
    'declare const button: HTMLButtonElement, payButton: HTMLButtonElement;',
    'declare const reopenButton: HTMLButtonElement, checkAgainButton: HTMLButtonElement;',
    'declare const showState: (state: string) => void;',
    code.replace('https://pay.example.com/checkout.js', '@payment-requests/sdk/checkout'),
    'export {};',
  ].join('\n');
}
