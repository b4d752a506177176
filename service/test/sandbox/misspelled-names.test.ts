import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { runCli } from '../commands/run-cli.ts';
import {
  paymentRequestCalls,
  SMALLEST_BODY,
} from '../support/payment-requests/payment-requests.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

const HEADER = 'payment-requests-warning';

interface Running {
  readonly service: TestService;
  readonly merchant: TestMerchant;
}

interface TimelinePage {
  readonly data: readonly { readonly type: string; readonly message?: string }[];
  readonly nextCursor: string | null;
}

async function start(environment: 'sandbox' | 'production'): Promise<Running> {
  const service = await startTestService({ environment });
  return { service, merchant: await service.createMerchant() };
}

function create({ service, merchant }: Running, name: string, headers = {}) {
  return service.call('POST', '/v1/payment-requests', {
    headers: { ...merchant.headers, ...headers },
    body: { ...SMALLEST_BODY, payer: { ...SMALLEST_BODY.payer, name } },
  });
}

/** The messages of the sandbox's notes in a timeline, read by pages of `limit`. */
async function notesOf({ service, merchant }: Running, id: string, limit = 100) {
  const notes: string[] = [];
  const { timeline } = paymentRequestCalls(service, merchant);
  let query: string | null = `?limit=${limit}`;
  while (query !== null) {
    const { json }: { json: TimelinePage } = await timeline(id, query);
    for (const { type, message = '' } of json.data) {
      if (type === 'SANDBOX_NOTE') notes.push(message);
    }
    const cursor: string | null = json.nextCursor;
    query = cursor && `?limit=${limit}&cursor=${cursor}`;
  }
  return notes;
}

describe('a payer’s name that nearly drives the simulator', () => {
  let running: Running;
  before(async () => {
    running = await start('sandbox');
  });
  after(() => running?.service.stop());

  const misspelled = [
    ['depositsubmit', 'depositSubmit'],
    ['DEPOSITSUBMIT:5', 'depositSubmit'],
    [' depositSubmit', 'depositSubmit'],
    ['depositSubmit ', 'depositSubmit'],
    ['deposit Submit', 'depositSubmit'],
    ['depositSubmit :5', 'depositSubmit'],
    ['deposit\u00a0submit', 'depositSubmit'],
    ['depositprocessingFail', 'depositProcessingFail'],
    ['DepositFail:INSUFFICIENT_FUNDS', 'depositFail'],
    ['DepositFail:é', 'depositFail'],
    ['createerror:500', 'createError'],
  ] as const;
  for (const [name, right] of misspelled) {
    it(`warns of ${JSON.stringify(name)} in header and timeline, and names ${right}`, async () => {
      const created = await create(running, name);
      assert.equal(created.status, 201, created.text);
      const warning = created.headers.get(HEADER) ?? '';
      assert.match(warning, new RegExp(`Write ${right}\\.$`));
      assert.deepEqual(await notesOf(running, created.json.id), [warning]);
      await running.service.advance(60);
      const { service, merchant } = running;
      const { json } = await paymentRequestCalls(service, merchant).read(created.json.id);
      assert.deepEqual([json.status, json.payer.name], ['CREATED', name]);
    });
  }

  const ordinary = ['Ada Lovelace', 'depositSubmit', 'depositSubmits', 'deposit', ':depositSubmit'];
  for (const name of ordinary) {
    it(`does not warn of ${name}`, async () => {
      const created = await create(running, name);
      assert.equal(created.status, 201, created.text);
      assert.equal(created.headers.get(HEADER), null);
      assert.deepEqual(await notesOf(running, created.json.id), []);
    });
  }

  it('warns again in the kept answer of an idempotent call', async () => {
    const key = { 'idempotency-key': 'misspelled' };
    const first = await create(running, 'depositsubmit', key);
    const again = await create(running, 'depositsubmit', key);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.ok(first.headers.get(HEADER));
    assert.equal(again.headers.get(HEADER), first.headers.get(HEADER));
  });

  it('warns a merchant with unique transaction ids, too', async () => {
    const merchant = await running.service.createMerchant({ uniqueTransactionIds: true });
    const created = await create({ ...running, merchant }, 'depositsubmit');
    assert.match(created.headers.get(HEADER) ?? '', /Write depositSubmit\./);
  });

  it('has its note once, after the creation, in timelines read page by page', async () => {
    const { json } = await create(running, 'depositsubmit');
    const { service, merchant } = running;
    await paymentRequestCalls(service, merchant).cancel(json.id);
    const whole = await paymentRequestCalls(service, merchant).timeline(json.id);
    const types = whole.json.data.map(({ type }: { type: string }) => type);
    const later = ['CANCELLATION_REQUESTED', 'STATUS_CHANGED'];
    assert.deepEqual(types, ['STATUS_CHANGED', 'SANDBOX_NOTE', ...later]);
    assert.equal((await notesOf(running, json.id, 1)).length, 1);
    const shown = await runCli(['request', 'show', json.id], service.env);
    assert.match(shown.stdout, /SANDBOX_NOTE +payer\.name differs from depositSubmit/);
  });
});

describe('a misspelled simulator name in production', () => {
  let running: Running;
  before(async () => {
    running = await start('production');
  });
  after(() => running?.service.stop());

  it('is an ordinary name, without warning and note', async () => {
    const created = await create(running, 'depositsubmit');
    assert.equal(created.status, 201, created.text);
    assert.equal(created.headers.get(HEADER), null);
    assert.deepEqual(await notesOf(running, created.json.id), []);
    const shown = await runCli(['request', 'show', created.json.id], running.service.env);
    assert.doesNotMatch(shown.stdout, /SANDBOX_NOTE/);
  });
});
