import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type PackedSdk, packSdk, runCommand } from './packed-sdk.ts';

const SDK = fileURLToPath(new URL('../', import.meta.url));
/** The bound of journey §3: a merchant's page waits for the script. */
const MOST_CHECKOUT_BYTES = 3_000;
/** Pages of a shop compute amounts; a page's script must not grow by the client for it. */
const MOST_AMOUNT_BYTES = 2_000;
/** An edge function that only takes webhooks starts faster without the client. */
const MOST_VERIFY_BYTES = 6_000;
const ESBUILD = '../../scripts/release/bundler/node_modules/esbuild/lib/main.js';
const esbuild = (await import(new URL(ESBUILD, import.meta.url).href)).default;
/** The interfaces of values that a merchant gives. */
const INPUT =
  /export interface (New\w+|\w*(?:Filters|Options|Changes|Hooks)|Cancellation|\w*Simulation|SecretRotation|ReplaySpan|Payer|Delivery)\b[^{]*\{\n([\s\S]*?)\n\}/g;

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
    assert.deepEqual(readdirSync(folder).sort(), [
      ...['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'package.json'],
    ]);
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    assert.equal(manifest.dependencies, undefined);
    // npm shows these of a package; provenance says from which commit it was built.
    for (const name of ['homepage', 'repository', 'bugs', 'keywords', 'license']) {
      assert.ok(manifest[name], name);
    }
    assert.deepEqual(manifest.publishConfig, { access: 'public', provenance: true });
  });

  it('is reduced by a bundler to what is used', async () => {
    const project = await packed.installInto('bundled', {});
    const bundle = async (text: string) => {
      writeFileSync(join(project, 'entry.js'), `import ${text};`);
      const { outputFiles } = await esbuild.build({
        absWorkingDir: project,
        entryPoints: ['entry.js'],
        ...{ bundle: true, minify: true, write: false, format: 'esm', target: 'es2022' },
      });
      return { size: outputFiles[0].contents.length, text: outputFiles[0].text };
    };
    const from = "from '@payment-requests/sdk'";
    const amounts = await bundle(`{ amountToCents } ${from}; console.log(amountToCents('1'))`);
    assert.ok(amounts.size <= MOST_AMOUNT_BYTES, `${amounts.size} bytes`);
    const verify = await bundle(`{ verifyWebhook } ${from}; console.log(verifyWebhook)`);
    assert.ok(verify.size <= MOST_VERIFY_BYTES, `${verify.size} bytes`);
    const nothing = await bundle(`'@payment-requests/sdk'`);
    assert.equal(nothing.text.trim(), '');
  });

  it('recognises errors and answers between import and require', async () => {
    const project = await packed.installInto('both-builds', { 'both.js': BOTH_BUILDS });
    const { stdout } = await runCommand(process.execPath, ['both.js'], project);
    assert.deepEqual(JSON.parse(stdout), {
      isOneClass: false,
      isOfClass: true,
      isOfBase: true,
      isOfOther: false,
      isOfSubclass: false,
      isForeign: false,
      named: ['InvalidArgumentError', 'INVALID_AMOUNT'],
      answered: 201,
      shown: '{"id":"1"}',
    });
  });

  it('takes undefined for each optional input, with a text on hover', () => {
    const dist = join(packed.folder, 'dist');
    const declarations = readdirSync(dist, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.d.ts') && !path.startsWith('checkout'))
      .map((path) => readFileSync(join(dist, path), 'utf8'))
      .join('\n');
    const inputs = [...declarations.matchAll(INPUT)].map(([, name, body = '']) => [name, body]);
    assert.ok(inputs.length >= 20, `${inputs.length} inputs`);
    const members = inputs.flatMap(([name, body = '']) =>
      [...body.matchAll(/^( +\*\/\n| +\/\*\*.*\n)? {4}readonly (\w+)\?: ([\s\S]*?);$/gm)].map(
        ([, comment, member, type = '']) => ({ at: `${name}.${member}`, comment, type }),
      ),
    );
    const wanting = members.filter(({ type }) => !type.endsWith('undefined'));
    assert.deepEqual(
      wanting.map(({ at }) => at),
      [],
    );
    const silent = members.filter(({ comment }) => !comment);
    assert.deepEqual(
      silent.map(({ at }) => at),
      [],
    );
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
          exactOptionalPropertyTypes: true,
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
    // Examples in comments import the package as a merchant does.
    const foreign = sources.flatMap(([path, text]) =>
      [...text.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)]
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

const BOTH_BUILDS = `
import { createRequire } from 'node:module';
import * as imported from '@payment-requests/sdk';

const required = createRequire(import.meta.url)('@payment-requests/sdk');
let error;
try {
  required.amountToCents('1.005');
} catch (thrown) {
  error = thrown;
}
class Own extends imported.InvalidArgumentError {}
const foreign = Object.assign(new Error('x'), { name: 'InvalidArgumentError', code: 'x' });
const answers = [{ access_token: 'token', expires_in: 60 }, { id: '1' }];
const fetch = async () => Response.json(answers.shift(), { status: answers.length ? 200 : 201 });
const urls = { baseUrl: 'https://pay.test/v1', authUrl: 'https://pay.test/token' };
const names = { username: 'username', password: 'password', apiKey: 'key' };
const client = required.createClient({ ...urls, ...names, fetch });
const created = await client.createPaymentRequest({ amount: 1, payer: { name: 'Ada' } });
console.log(JSON.stringify({
  isOneClass: imported.InvalidArgumentError === required.InvalidArgumentError,
  isOfClass: error instanceof imported.InvalidArgumentError,
  isOfBase: error instanceof imported.PaymentRequestsError,
  isOfOther: error instanceof imported.ProblemError,
  isOfSubclass: error instanceof Own,
  isForeign: foreign instanceof imported.InvalidArgumentError,
  named: [error.name, error.code],
  answered: imported.answerOf(created)?.status,
  shown: JSON.stringify({ ...created }),
}));
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
declare const order: { reference?: string };
const reference = order.reference;
const payer = { name: 'Ada', email: reference };
await client.createPaymentRequest({ amount: 1, payer, merchantTransactionId: reference });
await client.createRefund('1', { amount: undefined, merchantRefundId: reference });
for await (const _ of client.listPaymentRequests({ invoiceNumber: reference })) break;
const isSpent = (error: ProblemError) => error.code === 'REFUND_AMOUNT_EXCEEDED';
// @ts-expect-error a misspelt code
const misspelt = (error: ProblemError) => error.code === 'REFUND_AMOUNT_EXCEDED';
// @ts-expect-error it may be null
(await client.getPaymentRequest('1', { ifNoneMatch: '"1"' })).status;
await client.simulateOutcome('1', { outcome: 'FAILED', reason: 'INSUFFICIENT_FUNDS' });
// @ts-expect-error no refusal of an institution
await client.simulateOutcome('1', { outcome: 'FAILED', reason: 'LINK_EXPIRED' });
await client.simulateRefund('1', { outcome: 'FAILED', reason: 'PAYER_ACCOUNT_UNKNOWN' });
// @ts-expect-error a reason of the service alone
await client.simulateRefund('1', { outcome: 'FAILED', reason: 'REFUND_RETURNED' });
const codes = (error: unknown) => error instanceof ProblemError && error.errors.map((e) => e.code);
export { codes, isSpent, maybe, misspelt };
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
