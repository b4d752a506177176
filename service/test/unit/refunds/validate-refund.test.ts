import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { Problem } from '#lib/problem.ts';
import type { Merchant } from '#merchants/merchant.ts';
import type { NewRefund } from '#refunds/create/decide-creation.ts';
import { bodyHashOf, validateRefund } from '#refunds/create/validate-refund.ts';

const MERCHANT = { id: 'mer_1', webhookOrigins: ['https://shop.example'] } as unknown as Merchant;
const schemaFault = (field: string) =>
  ({ field, code: 'INVALID_TYPE', message: 'Give another one.' }) as const;

interface Told {
  readonly sources?: Readonly<Record<string, string>>;
  readonly schema?: readonly string[];
  readonly hasKey?: boolean;
}

/** The refund or the faults of a body, and the URLs that were looked up. */
async function validate(members: Record<string, unknown>, told: Told = {}) {
  const lookedUp: string[] = [];
  const deps = {
    currency: 'EUR',
    areOriginsRegistered: true,
    isLocal: false,
    messageFault: (message: string) => {
      assert.equal(typeof message, 'string');
      return message === 'fail' ? 'There is no such outcome.' : null;
    },
    webhookUrlFault: async (url: string) => {
      lookedUp.push(url);
      return null;
    },
  };
  const call = {
    members: { merchantRefundId: 'r-1', ...members },
    numberSources: new Map(Object.entries(told.sources ?? {})),
    faults: (told.schema ?? []).map(schemaFault),
  };
  const read = await validateRefund(deps, MERCHANT, call, told.hasKey ?? false);
  const { merchantRefundId, validated } = read;
  const errors = validated instanceof Problem ? validated.errors : [];
  const faults = errors.map(({ field, code }) => `${field} ${code}`);
  const messages = errors.map(({ message }) => message);
  return { merchantRefundId, lookedUp, faults, messages, refund: validated as NewRefund };
}

describe('the body of a refund', () => {
  it('may leave everything out but its name', async () => {
    const { refund, merchantRefundId } = await validate({});
    assert.deepEqual(refund, {
      amountCents: null,
      expectedAvailableCents: null,
      reason: 'REQUESTED_BY_CUSTOMER',
      message: null,
      webhookUrl: null,
    });
    assert.equal(merchantRefundId, 'r-1');
  });

  it('gives all that it says', async () => {
    const said = { reason: 'DUPLICATE', message: 'Sorry', currency: 'EUR' };
    const webhookUrl = 'https://shop.example/hook';
    const sources = { amount: '1.25', expectedAmountAvailable: '2.5' };
    const { refund, lookedUp } = await validate({ ...said, webhookUrl }, { sources });
    assert.deepEqual(refund, {
      amountCents: 125,
      expectedAvailableCents: 250,
      reason: 'DUPLICATE',
      message: 'Sorry',
      webhookUrl,
    });
    assert.deepEqual(lookedUp, [webhookUrl]);
  });

  it('needs a merchantRefundId or an Idempotency-Key', async () => {
    const unnamed = { merchantRefundId: undefined };
    const { faults, merchantRefundId } = await validate(unnamed);
    assert.deepEqual(faults, ['merchantRefundId REQUIRED_ONE_OF']);
    assert.equal(merchantRefundId, null);
    assert.deepEqual((await validate(unnamed, { hasKey: true })).faults, []);
    assert.deepEqual((await validate({}, { hasKey: true })).faults, []);
  });

  it('is refused with a fault of each field, and keeps an id without a fault', async () => {
    const refused: readonly (readonly [Record<string, unknown>, string])[] = [
      [{ currency: 'CAD' }, 'currency INVALID_VALUE'],
      [{ message: '\u0000' }, 'message INVALID_FORMAT'],
      [{ message: 'fail' }, 'message INVALID_VALUE'],
      [{ webhookUrl: 'https://elsewhere.example/' }, 'webhookUrl INVALID_VALUE'],
    ];
    for (const [members, expected] of refused) {
      const { faults, merchantRefundId } = await validate(members);
      assert.deepEqual(faults, [expected]);
      assert.equal(merchantRefundId, 'r-1');
    }
    const { faults } = await validate({ currency: 'CAD', message: 'fail' });
    assert.deepEqual(faults, ['currency INVALID_VALUE', 'message INVALID_VALUE']);
  });

  it('keeps the faults of the schema, and asks nothing more about their fields', async () => {
    const webhookUrl = 'https://elsewhere.example/';
    const members = { webhookUrl, merchantRefundId: 'x'.repeat(99), message: 7 };
    const schema = ['webhookUrl', 'merchantRefundId', 'message'];
    const { faults, lookedUp, merchantRefundId } = await validate(members, { schema });
    assert.deepEqual(
      faults,
      schema.map((field) => `${field} INVALID_TYPE`),
    );
    assert.deepEqual(lookedUp, []);
    assert.equal(merchantRefundId, null);
    const one = await validate({ webhookUrl }, { schema: ['webhookUrl'] });
    assert.deepEqual([one.faults, one.lookedUp], [['webhookUrl INVALID_TYPE'], []]);
    const good = { webhookUrl: 'https://shop.example/hook' };
    const other = await validate(good, { schema: ['message'] });
    assert.deepEqual(other.lookedUp, [good.webhookUrl]);
  });
});

describe('an amount of a refund', () => {
  const read = async (field: 'amount' | 'expectedAmountAvailable', source: string) => {
    const { faults, refund } = await validate({}, { sources: { [field]: source } });
    const cents = field === 'amount' ? refund.amountCents : refund.expectedAvailableCents;
    return faults[0] ?? cents;
  };

  it('is at least a cent; nothing may be expected to be available', async () => {
    assert.equal(await read('amount', '0.01'), 1);
    assert.equal(await read('amount', '0'), 'amount TOO_LOW');
    assert.equal(await read('amount', '-1'), 'amount TOO_LOW');
    assert.equal(await read('expectedAmountAvailable', '0'), 0);
    assert.equal(await read('expectedAmountAvailable', '0.00'), 0);
    assert.equal(await read('expectedAmountAvailable', '-1'), 'expectedAmountAvailable TOO_LOW');
    assert.equal(
      await read('expectedAmountAvailable', '0.001'),
      'expectedAmountAvailable TOO_MANY_DECIMALS',
    );
  });

  it('has a fault that names the field and the rule', async () => {
    for (const [source, message] of [
      ['1e400', 'Give amount as an amount that can be.'],
      ['0', 'Give amount as at least 0.01.'],
      ['100000000000', 'Give amount as an amount that can be.'],
      ['1.005', 'Give amount with at most two decimals.'],
    ] as const) {
      const { messages } = await validate({}, { sources: { amount: source } });
      assert.deepEqual(messages, [message]);
    }
  });

  it('has two decimals, and thirteen digits of cents', async () => {
    assert.equal(await read('amount', '1.005'), 'amount TOO_MANY_DECIMALS');
    assert.equal(await read('amount', '99999999999.99'), 10 ** 13 - 1);
    assert.equal(await read('amount', '100000000000'), 'amount TOO_HIGH');
  });
});

describe('the hash of a body', () => {
  it('is that of its bytes; no body has no bytes', () => {
    const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
    assert.equal(bodyHashOf(Buffer.from('{}')).toString('hex'), hashOf('{}'));
    assert.equal(bodyHashOf(undefined).toString('hex'), hashOf(''));
  });
});
