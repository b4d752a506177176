import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { grantsOf, readRoleRules, TooManyGrants } from '#console/sign-in/model/role-mapping.ts';

const grants = (rules: string, ...values: string[]) => grantsOf(values, readRoleRules(rules));

describe('CONSOLE_ROLES', () => {
  it('gives the roles of the values that a person has, and no others', () => {
    const rules = 'ops=operator; auditors = operator-readonly\nbooks=support@mer_1';
    assert.deepEqual(grants(rules, 'books', 'ops', 'other', 'OPS'), [
      { role: 'support', merchantId: 'mer_1' },
      { role: 'operator', merchantId: null },
    ]);
    assert.deepEqual(grants(rules), []);
  });

  it('reads the merchant out of a value', () => {
    const rules = 'pay-*-finance=finance@*';
    assert.deepEqual(grants(rules, 'pay-mer_1-finance', 'pay--finance', 'pay-finance'), [
      { role: 'finance', merchantId: 'mer_1' },
    ]);
    assert.deepEqual(grants(rules, 'xpay-a-finance', 'pay-a-financex', 'pay-a b-finance'), []);
  });

  it('takes names of directories, which hold equals signs and commas', () => {
    const rules = 'CN=Payment Ops,OU=Groups,DC=bank=operator';
    assert.deepEqual(grants(rules, 'CN=Payment Ops,OU=Groups,DC=bank'), [
      { role: 'operator', merchantId: null },
    ]);
  });

  it('gives a role once, however many values give it', () => {
    assert.equal(grants('a=viewer@m;b=viewer@m', 'a', 'b', 'a').length, 1);
  });

  it('refuses more grants than a session holds', () => {
    const values = Array.from({ length: 101 }, (_, index) => `v-${index}`);
    assert.throws(() => grants('v-*=viewer@*', ...values), TooManyGrants);
  });

  for (const [text, fault] of [
    ['ops', /is no rule/],
    ['=operator', /is no rule/],
    ['ops=root', /whose role is none/],
    ['ops=support', /whose role is none/],
    ['ops=operator@mer_1', /whose role is none/],
    ['pay-*=support@mer_1', /once on both sides/],
    ['pay=support@*', /once on both sides/],
    ['*-*=support@*', /once on both sides/],
    ['a=support@mer 1', /whose role is none/],
  ] as const) {
    it(`refuses ${text}`, () => assert.throws(() => readRoleRules(text), fault));
  }
});
