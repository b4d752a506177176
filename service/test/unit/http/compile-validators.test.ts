import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compileValidators } from '#http/json/compile-validators.ts';

const EMAIL_AND_COUNT = {
  type: 'object',
  required: ['email'],
  properties: {
    email: { type: 'string', format: 'email' },
    count: { type: 'integer', default: 1 },
  },
  additionalProperties: false,
} as const;

describe('the validator of a schema', () => {
  it('is compiled at its first call, and once', () => {
    let readings = 0;
    const schema = {
      get type() {
        readings += 1;
        return 'string';
      },
    };
    const validate = compileValidators()({ schema });
    assert.equal(readings, 0, 'nothing is compiled before the first call');
    assert.equal(validate('text'), true);
    const compiled = readings;
    assert.ok(compiled > 0);
    assert.equal(validate(5), false);
    assert.equal(readings, compiled + 1, 'the fault names the type');
    assert.equal(validate('text'), true);
    assert.equal(readings, compiled + 1);
  });

  it('gives all faults of a body, and none of an earlier body', () => {
    const validate = compileValidators()({ schema: EMAIL_AND_COUNT });
    assert.equal(validate({ email: 'nobody', count: 'x' }), false);
    const found = validate.errors?.map(({ instancePath, keyword }) => [instancePath, keyword]);
    assert.deepEqual(found?.sort(), [
      ['/count', 'type'],
      ['/email', 'format'],
    ]);
    assert.equal(validate({ email: 'ada@example.com' }), true);
    assert.equal(validate.errors, null);
  });

  it('keeps the faults of one schema from another', () => {
    const factory = compileValidators();
    const first = factory({ schema: { type: 'string' } });
    const second = factory({ schema: { type: 'integer' } });
    assert.equal(first(1), false);
    assert.equal(second(1), true);
    assert.equal(first.errors?.[0]?.keyword, 'type');
    assert.equal(second.errors, null);
  });

  it('validates a body as it was sent: nothing is converted, added or removed', () => {
    const validate = compileValidators()({ schema: EMAIL_AND_COUNT });
    for (const count of ['5', null, true]) {
      const body = { email: 'ada@example.com', count };
      assert.equal(validate(body), false, `count ${count}`);
      assert.deepEqual(body, { email: 'ada@example.com', count });
    }
    const unknown = { email: 'ada@example.com', other: 1 };
    assert.equal(validate(unknown), false);
    assert.deepEqual(unknown, { email: 'ada@example.com', other: 1 });
    const short = { email: 'ada@example.com' };
    assert.equal(validate(short), true);
    assert.deepEqual(short, { email: 'ada@example.com' });
  });
});
