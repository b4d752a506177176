import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { snippetNamed, tableUnder } from '../support/documents/guide-snippets.ts';
import { eventually } from '../support/eventually.ts';
import { paymentRequestCalls } from '../support/payment-requests/payment-requests.ts';
import { refundCalls } from '../support/refunds/refund-calls.ts';
import { COMMAND_LINE } from '../support/service/command-line.ts';
import { compileCache } from '../support/service/compile-cache.ts';
import { type Production, startProduction } from '../support/service/production.ts';
import type { TestMerchant } from '../support/service/service.ts';
import { type HttpsListener, startHttpsListener } from '../support/webhooks/https-listener.ts';
import { startWebhookService, type WebhookService } from '../support/webhooks/webhook-service.ts';

const PAYER = {
  name: 'Grace Canary',
  email: 'grace.canary@example.com',
  mobileNumber: '+1 514 555 0188',
  merchantAccountId: 'canary-2207',
};
const WRITTEN_FOR_THE_PAYER = {
  displayMessage: 'Canary chairs',
  metadata: { note: 'canary metadata' },
};
const READ_TOOLS = [
  'list_payment_requests',
  'search_payment_requests',
  'get_payment_request',
  'get_timeline',
  'list_webhook_deliveries',
  'get_webhook_delivery',
  'search_docs',
  'read_docs',
];

interface Session {
  readonly client: Client;
  /** The program's standard error so far. */
  logged(): string;
  /** The text of an answer; a refusal is marked. */
  ask(tool: string, given?: object): Promise<{ text: string; isError: boolean }>;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it finds
  json(tool: string, given?: object): Promise<any>;
}

/** The arguments of the guide. The settings come from the environment of the test. */
function argumentsFor(merchantId: string): string[] {
  const { mcpServers } = JSON.parse(snippetNamed('mcp.json'));
  const { servers } = JSON.parse(snippetNamed('vscode-mcp.json'));
  const { command, args } = mcpServers['payment-requests'];
  assert.deepEqual(servers['payment-requests'], { type: 'stdio', command, args });
  const [option, , ...rest] = args as string[];
  assert.deepEqual([command, option], ['payreq', '--env-file']);
  return rest.map((word) => (word === 'MERCHANT' ? merchantId : word));
}

describe('payreq mcp', () => {
  let service: WebhookService;
  let production: Production;
  let shop: TestMerchant;
  let listener: HttpsListener;
  let blind: Session;
  let seeing: Session;
  const sessions: Client[] = [];

  async function open(
    { env }: Pick<WebhookService, 'env'>,
    merchantId: string,
    ...options: string[]
  ): Promise<Session> {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const args = ['--', COMMAND_LINE, ...argumentsFor(merchantId), ...options];
    const surroundings = { ...compileCache, ...env };
    const started = { command: process.execPath, args, env: surroundings };
    const transport = new StdioClientTransport({ ...started, stderr: 'pipe' });
    let errors = '';
    transport.stderr?.on('data', (chunk) => {
      errors += chunk;
    });
    await client.connect(transport);
    sessions.push(client);
    const ask: Session['ask'] = async (name, given = {}) => {
      const { content, isError = false } = await client.callTool({
        name,
        arguments: { ...given },
      });
      const [{ text }] = content as [{ text: string }];
      return { text, isError: Boolean(isError) };
    };
    const json: Session['json'] = async (tool, given) => JSON.parse((await ask(tool, given)).text);
    return { client, logged: () => errors, ask, json };
  }

  before(async () => {
    [service, production] = await Promise.all([
      startWebhookService(),
      startProduction({ roles: ['api'] }),
    ]);
    shop = await service.createMerchant({ name: 'Own Shop' });
    listener = await startHttpsListener({ authority: service.authority });
    [blind, seeing] = await Promise.all([
      open(service, shop.merchantId),
      open(service, shop.merchantId, '--with-payer-data'),
    ]);
  });
  after(async () => {
    await Promise.all(sessions.map((client) => client.close()));
    await listener?.close();
    await production?.stop();
    await service?.stop();
  });

  const calls = (merchant = shop) => paymentRequestCalls(service, merchant);
  const create = async (members: object = {}) =>
    (await calls().create({ payer: PAYER, ...WRITTEN_FOR_THE_PAYER, ...members })).json;
  const audited = (
    action = 'ASSISTANT_CALLED',
    { database }: Pick<WebhookService, 'database'> = service,
  ) =>
    database.sql<{ actor: string; merchant_id: string; details: Record<string, unknown> }>(
      `SELECT actor, merchant_id, details FROM audit_log WHERE action = '${action}' ORDER BY id`,
    );

  it('shows a payment request as the merchant reads it, and hides the payer by default', async () => {
    const { id } = await create({ merchantTransactionId: 'order-1' });
    const { json: own } = await calls().read(id);
    assert.deepEqual(await seeing.json('get_payment_request', { id }), own);
    const { text } = await blind.ask('get_payment_request', { id });
    assert.doesNotMatch(text, /canary|555 0188|pay\.test\/pay\//i);
    const shown = JSON.parse(text);
    assert.deepEqual(
      [shown.id, shown.status, shown.amount, shown.merchantTransactionId],
      [id, 'CREATED', own.amount, 'order-1'],
    );
    assert.match(shown.payer, /hidden/);
  });

  it('finds by references always, and by the payer’s values only where these are shown', async () => {
    const { id } = await create({ merchantTransactionId: 'order-2', amount: 77.31 });
    const found = async (session: Session, value: string) =>
      (await session.json('search_payment_requests', { value })).data.map(
        (each: { id: string }) => each.id,
      );
    for (const value of [id, 'order-2', '77.31']) {
      assert.deepEqual(await found(blind, value), [id], value);
    }
    for (const value of [PAYER.email, PAYER.mobileNumber, PAYER.merchantAccountId]) {
      assert.deepEqual(await found(blind, value), [], value);
      assert.ok((await found(seeing, value)).includes(id), value);
    }
    const narrowed = { payerEmail: PAYER.email };
    assert.equal((await blind.ask('list_payment_requests', narrowed)).isError, true);
    assert.ok((await seeing.json('list_payment_requests', narrowed)).data.length > 0);
  });

  it('lists in pages that a cursor continues', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.unshift((await create()).id);
    const first = await blind.json('list_payment_requests', { limit: 2, status: ['CREATED'] });
    const next = { limit: 1, status: ['CREATED'], cursor: first.nextCursor };
    const second = await blind.json('list_payment_requests', next);
    const shown = [...first.data, ...second.data].map(({ id }: { id: string }) => id);
    assert.deepEqual(shown, ids);
    const refused = await blind.ask('list_payment_requests', { limit: 1_000, status: ['NO'] });
    assert.equal(refused.isError, true);
    assert.match(refused.text, /^VALIDATION_ERROR: .*\nGive .*\nGive /);
  });

  it('gives outcomes in the sandbox, and shows the timeline and the deliveries', async () => {
    listener.answerWith((_request, response) => {
      response.statusCode = 500;
      response.end('no room for grace.canary@example.com');
    });
    const { id } = await create({ webhookUrl: listener.url });
    const paid = await blind.json('simulate_payment_request', { id, outcome: 'PAID' });
    assert.deepEqual([paid.id, paid.status], [id, 'PAID']);
    assert.match(paid.payment.institution, /hidden/);
    assert.equal(paid.webhookUrl, listener.url);
    await service.advance(1);
    // The timeline shows an attempt once it is recorded.
    const deliveryId = await eventually(async () => {
      const { data } = await blind.json('list_webhook_deliveries', { paymentRequestId: id });
      return data.find(
        (each: { eventType: string; attempts: number }) =>
          each.eventType === 'PAYMENT-COMPLETED' && each.attempts > 0,
      )?.id as string | undefined;
    }, 'the attempt');
    const { json: timeline } = await calls().timeline(id);
    assert.deepEqual((await seeing.json('get_timeline', { id })).data, timeline.data);
    const whole = await seeing.ask('get_webhook_delivery', { id: deliveryId });
    assert.match(whole.text, /"httpStatus":500.*no room for grace/);
    for (const [tool, asked] of [
      ['get_timeline', id],
      ['get_webhook_delivery', deliveryId],
    ] as const) {
      const { text } = await blind.ask(tool, { id: asked });
      assert.doesNotMatch(text, /canary/i, tool);
      assert.match(text, /"httpStatus":500/, tool);
    }
    const asked = { amount: 1, message: 'Canary money back' };
    const { json: refund } = await refundCalls(service, shop).created(id, asked);
    const failed = await blind.ask('simulate_refund', { id: refund.id, outcome: 'FAILED' });
    assert.match(failed.text, /"status":"FAILED"/);
    assert.doesNotMatch(failed.text, /canary/i);
    assert.deepEqual(
      (await audited('OUTCOME_SIMULATED')).map(({ details }) => details.status),
      ['PAID', 'FAILED'],
    );
    const again = await blind.ask('simulate_payment_request', { id, outcome: 'EXPIRED' });
    assert.deepEqual([again.isError, again.text.split(':')[0]], [true, 'ALREADY_PAID']);
  });

  it('advances the time of a payment request in the sandbox', async () => {
    const { id } = await create({ payer: { ...PAYER, name: 'depositExpire:3600' } });
    const { willRun } = await blind.json('advance_payment_request', { id, seconds: 4_000 });
    assert.deepEqual(
      willRun.map(({ type }: { type: string }) => type),
      ['SIMULATOR_STEP'],
    );
    await eventually(async () => (await calls().read(id)).json.status === 'EXPIRED', 'the expiry');
    const [entry] = (await audited('OUTCOME_SIMULATED')).slice(-1);
    assert.deepEqual(entry?.details, { paymentRequestId: id, seconds: 4_000 });
  });

  it('refuses hostile names and arguments in few words, and goes on', async () => {
    const { id } = await create();
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`x${at}`, at]));
    for (const [tool, given] of [
      ['x'.repeat(1_000_000), {}],
      ['get_payment_request', { id: `${id}' OR true --` }],
      ['get_payment_request', { id: '\u0000' }],
      ['get_payment_request', { id, ...many }],
      ['list_webhook_deliveries', { status: Array(20_000).fill('NO') }],
      ['search_payment_requests', { value: 'x'.repeat(1_000_000) }],
      ['read_docs', { address: '/docs/..%2f..%2fetc%2fpasswd' }],
      ['read_docs', { address: '/docs/__proto__' }],
    ] as const) {
      const { isError, text } = await blind.ask(tool, given);
      assert.ok(isError && text.length < 2_000, `${tool.slice(0, 30)} ${text.slice(0, 500)}`);
    }
    assert.equal((await blind.json('get_payment_request', { id })).id, id);
  });

  it('answers no call that it cannot record, and writes why to standard error', async () => {
    await service.database.sql(
      `ALTER TABLE audit_log ADD CONSTRAINT no_docs CHECK (details ->> 'tool' <> 'read_docs')
       NOT VALID`,
    );
    const { isError, text } = await blind.ask('read_docs', { address: '/problems' });
    await service.database.sql('ALTER TABLE audit_log DROP CONSTRAINT no_docs');
    assert.deepEqual([isError, text], [true, 'The service could not answer. See payreq doctor.']);
    await eventually(() => /"call of an assistant failed"/.test(blind.logged()), 'the log');
    assert.match(blind.logged(), /"level":"error".*"constraint":"no_docs"/);
    assert.equal((await blind.ask('read_docs', { address: '/problems' })).isError, false);
  });

  it('searches the documentation and reads its pages without a running service', async () => {
    const found = await blind.ask('search_docs', { query: 'refund' });
    assert.match(found.text, /\(\/docs\/guides\/refunds\)/);
    assert.match(found.text, /\(\/docs\/createRefund\)/);
    assert.match(
      (await blind.ask('read_docs', { address: '/docs/guides/refunds' })).text,
      /^# Refund/,
    );
    assert.match((await blind.ask('read_docs', { address: '/docs/createRefund' })).text, /refunds/);
    const { isError } = await blind.ask('read_docs', { address: '/docs/guides/none' });
    assert.equal(isError, true);
    assert.equal((await blind.ask('read_docs', { address: '/console/overview' })).isError, true);
  });

  it('writes an entry of the audit log for each call, before the answer', async () => {
    const { id } = await create();
    const before = (await audited()).length;
    await seeing.ask('get_payment_request', { id });
    await blind.ask('search_payment_requests', { value: PAYER.email });
    const entries = (await audited()).slice(before);
    assert.deepEqual(
      entries.map(({ merchant_id, details }) => ({ merchant_id, ...details })),
      [
        { merchant_id: shop.merchantId, tool: 'get_payment_request', withPayerData: true, id },
        {
          merchant_id: shop.merchantId,
          tool: 'search_payment_requests',
          withPayerData: false,
        },
      ],
    );
    assert.match(`${entries[0]?.actor}`, /^payreq \(/);
  });

  it('knows no payment request, delivery or event of another merchant', async () => {
    const other = await service.createMerchant({ name: 'Other Shop' });
    const { id } = (await calls(other).create({ merchantTransactionId: 'foreign-1' })).json;
    for (const tool of ['get_payment_request', 'get_timeline']) {
      const { isError, text } = await seeing.ask(tool, { id });
      assert.deepEqual([isError, text.split(':')[0]], [true, 'PAYMENT_REQUEST_NOT_FOUND']);
    }
    const simulated = await seeing.ask('simulate_payment_request', { id, outcome: 'PAID' });
    assert.equal(simulated.isError, true);
    assert.equal((await calls(other).read(id)).json.status, 'CREATED');
    assert.deepEqual(
      (await seeing.json('search_payment_requests', { value: 'foreign-1' })).data,
      [],
    );
  });

  it('only reads in production', async () => {
    const { merchantId } = production.merchant;
    const { id } = await production.createLink();
    const session = await open(production.service, merchantId);
    const { tools } = await session.client.listTools();
    const names = tools.map(({ name }) => name);
    assert.deepEqual(names, READ_TOOLS);
    const written = tableUnder('ask-an-assistant.md', 'Its tools');
    const inSandbox = (await blind.client.listTools()).tools.map(({ name }) => name);
    assert.deepEqual(
      written.flatMap(([cell = '']) => cell.replaceAll('`', '').split(', ')),
      inSandbox,
    );
    assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint));
    const simulated = await session.ask('simulate_payment_request', { id, outcome: 'PAID' });
    assert.equal(simulated.isError, true);
    assert.equal((await session.json('get_payment_request', { id })).status, 'CREATED');
    assert.equal((await audited('ASSISTANT_CALLED', production.service)).length, 1);
  });
});
