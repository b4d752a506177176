import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type PackedSdk, packSdk, runCommand } from './packed-sdk.ts';

const SDK = fileURLToPath(new URL('../', import.meta.url));
/** The bound of journey §3: a merchant's page waits for the script. */
const MOST_CHECKOUT_BYTES = 3_000;

describe('the packed SDK', () => {
  let packed: PackedSdk;

  before(async () => {
    packed = await packSdk();
  });
  after(() => packed?.remove());

  it('passes publint', async () => {
    const { stdout } = await runCommand('publint', ['--strict', packed.tarball], packed.folder);
    assert.match(stdout, /All good!/);
  });

  it('passes Are the types wrong', async () => {
    await runCommand('attw', [packed.tarball], packed.folder);
  });

  it('leaves package.json unchanged', () => {
    const [before, after] = [SDK, packed.folder].map((folder) =>
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    assert.equal(after, before);
  });

  it('installs no other package', async () => {
    const project = await packed.installInto('no-dependencies', {});
    const installed = readdirSync(join(project, 'node_modules')).filter((name) => name[0] !== '.');
    assert.deepEqual(installed, ['@payment-requests']);
    const folder = join(project, 'node_modules', '@payment-requests', 'sdk');
    assert.deepEqual(readdirSync(folder).sort(), ['LICENSE', 'README.md', 'dist', 'package.json']);
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    assert.equal(manifest.dependencies, undefined);
  });

  it('works in a project of plain JavaScript', async () => {
    const project = await packed.installInto('plain-javascript', { 'shop.js': PLAIN_SHOP });
    const { stdout, stderr } = await runCommand(process.execPath, ['shop.js'], project);
    assert.deepEqual(JSON.parse(stdout), {
      created: { id: '1', status: 'CREATED' },
      sent: '{"amount":25.50,"type":"ECOMM","payer":{"name":"Ada","email":"ada@example.com"}}',
      event: 'PAYMENT-COMPLETED',
      refused: 'SIGNATURE_WRONG',
      checkout: 'function',
    });
    assert.equal(stderr, '');
  });

  it('has types that compile on their own, for Node and for a browser', async () => {
    const project = await packed.installInto('typed', {
      'server.ts': TYPED_SERVER,
      'page.ts': TYPED_PAGE,
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          skipLibCheck: false,
          module: 'nodenext',
          target: 'es2022',
          lib: ['es2022', 'dom'],
          types: [],
        },
      }),
    });
    await runCommand('tsc', ['-p', project], project);
  });
});

describe('the SDK’s source', () => {
  const folder = join(SDK, 'src');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(ts|js)$/.test(path))
    .map((path) => [path, readFileSync(join(folder, path), 'utf8')] as const);

  it('imports only its own files; its program also modules of Node, and no package', () => {
    assert.ok(sources.length >= 20);
    const foreign = sources.flatMap(([path, text]) =>
      [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)]
        .map(([, specifier = '']) => specifier)
        .filter((specifier) => {
          const isProgram = path.startsWith(`cli${sep}`);
          if (!/^\.{1,2}\//.test(specifier)) return !(isProgram && specifier.startsWith('node:'));
          const target = join(folder, dirname(path), specifier);
          return !isInside(folder, target) || (!isProgram && isInside(join(folder, 'cli'), target));
        })
        .map((specifier) => `${path}: ${specifier}`),
    );
    assert.deepEqual(foreign, []);
  });

  it('has a checkout.js of at most 3,000 bytes gzipped', () => {
    const size = gzipSync(readFileSync(join(folder, 'checkout.js'))).length;
    assert.ok(size <= MOST_CHECKOUT_BYTES, `${size} bytes`);
  });
});

function isInside(folder: string, path: string): boolean {
  return path.startsWith(`${folder}${sep}`);
}

const PLAIN_SHOP = `
import { createServer } from 'node:http';
import { createClient, makeTestWebhook, verifyWebhook } from '@payment-requests/sdk';
import { openCheckout } from '@payment-requests/sdk/checkout';

let sent;
const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const isToken = request.url === '/oauth2/token';
  if (!isToken) sent = Buffer.concat(chunks).toString();
  const token = { access_token: 'token', expires_in: 3600 };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(isToken ? token : { id: '1', status: 'CREATED' }));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = 'http://127.0.0.1:' + server.address().port;
const client = createClient({
  baseUrl: origin + '/v1',
  authUrl: origin + '/oauth2/token',
  username: 'username',
  password: 'password',
  apiKey: 'key',
});
const payer = { name: 'Ada', email: 'ada@example.com' };
const created = await client.createPaymentRequest({ amount: '25.50', payer });
server.close();
server.closeAllConnections();

const signingSecret = 'whsec_' + Buffer.alloc(32).toString('base64');
const credentials = { username: 'listener', password: 'password', signingSecret };
const webhook = await makeTestWebhook({ status: 'PAID' }, credentials);
const event = await verifyWebhook(webhook, credentials);
const forged = { ...webhook, body: webhook.body.replace('10', '99') };
const refused = await verifyWebhook(forged, credentials).catch((error) => error.code);
const checkout = typeof openCheckout;
console.log(JSON.stringify({ created, sent, event: event.eventType, refused, checkout }));
`;

const TYPED_SERVER = `
import { type Client, createClient, ProblemError, verifyWebhook } from '@payment-requests/sdk';

declare const request: Request;
const client: Client = createClient({
  baseUrl: '', authUrl: '', username: '', password: '', apiKey: '',
});
const one = await client.getPaymentRequest('1');
const status: string = one.status;
const maybe: { id: string } | null = await client.getPaymentRequest('1', { ifNoneMatch: '"1"' });
for await (const { amount } of client.listPaymentRequests({ status: 'PAID' })) amount.toFixed(2);
const body = await request.text();
const credentials = { username: '', password: '', signingSecret: ['', ''] };
const event = await verifyWebhook({ headers: request.headers, body }, credentials);
if (event.resource.status === 'PAID' && event.eventType === 'PAYMENT-COMPLETED') status.trim();
// @ts-expect-error the payer is required
await client.createPaymentRequest({ amount: '25.50' });
// @ts-expect-error it may be null
(await client.getPaymentRequest('1', { ifNoneMatch: '"1"' })).status;
const codes = (error: unknown) => error instanceof ProblemError && error.errors.map((e) => e.code);
export { codes, maybe };
`;

const TYPED_PAGE = `
import { type Checkout, openCheckout } from '@payment-requests/sdk/checkout';

const checkout: Checkout = openCheckout({
  create: async () => ({ paymentLink: 'https://pay.example.com/pay/x' }),
  isOver: async () => true,
  onState(state) {
    if (state === 'closed') checkout.reopen();
  },
});
`;
