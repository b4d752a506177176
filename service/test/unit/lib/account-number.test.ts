import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  accountAtMember,
  accountKeyOf,
  clearingOf,
  domesticOf,
  fieldsOfAccount,
  formatAccount,
  isBankOf,
  parseAccount,
  readAccountNumber,
  shownAccount,
} from '#lib/bank/account-number.ts';
import type { SchemeName } from '#lib/bank/account-schemes.ts';

type Typed = readonly [scheme: SchemeName, bank: string, number: string];

/** The reading as one text; else the name of the part that is wrong. */
function read([scheme, bank, number]: Typed): string {
  const found = readAccountNumber(scheme, bank, number);
  return typeof found === 'object' ? formatAccount(found) : found;
}

describe('an account without an IBAN', () => {
  for (const [typed, text] of [
    [['CA', '003-12345', '123 4567'], 'CA:00312345:1234567'],
    // Institution and transit on a cheque, and in electronic payments.
    [['CA', '12345-003', '0012345'], 'CA:00312345:0012345'],
    [['CA', '000312345', '123456789012'], 'CA:00312345:123456789012'],
    [['US', '021000021', '1234'], 'US:021000021:1234'],
    [['US', '0210 0002 1', '12345678901234567'], 'US:021000021:12345678901234567'],
    [['GB', '60-16-13', '31926819'], 'GB:601613:31926819'],
    [['AU', '062-000', '12345'], 'AU:062000:12345'],
    [['AU', '062000', '123456789'], 'AU:062000:123456789'],
    [['OTHER', 'hdfc 0000123', '50100-123456'], 'OTHER:HDFC0000123:50100123456'],
  ] as const) {
    it(`is read as people write it: ${typed.join(' ')}`, () => assert.equal(read(typed), text));
  }

  for (const [typed, part] of [
    [['CA', '03-12345', '1234567'], 'bank'],
    [['CA', '100312345', '1234567'], 'bank'],
    [['CA', '003-1234A', '1234567'], 'bank'],
    [['CA', '003-12345', '1234'], 'number'],
    [['CA', '003-12345', '1234567890123'], 'number'],
    [['CA', '003-12345', '00000'], 'number'],
    // The check digit is wrong, or two digits changed places.
    [['US', '021000022', '1234'], 'bank'],
    [['US', '012000021', '1234'], 'bank'],
    [['US', '02100002', '1234'], 'bank'],
    [['US', '021000021', '123'], 'number'],
    [['US', '021000021', '123456789012345678'], 'number'],
    [['GB', '60161', '31926819'], 'bank'],
    [['GB', '601613', '3192681'], 'number'],
    [['GB', '601613', '319268190'], 'number'],
    [['AU', '06200', '12345'], 'bank'],
    [['AU', '062000', '1234'], 'number'],
    [['AU', '062000', '1234567890'], 'number'],
    [['OTHER', '', '1234'], 'bank'],
    [['OTHER', 'A:B', '1234'], 'bank'],
    [['OTHER', 'BANK', '123'], 'number'],
    [['OTHER', 'BANK', '12:34'], 'number'],
  ] as const) {
    it(`names the part that is wrong: ${typed.join(' ')}`, () => assert.equal(read(typed), part));
  }

  it('is shown as its lines, and an IBAN in groups of four', () => {
    assert.equal(shownAccount('CA:00312345:0012345'), 'CA 003 12345 0012345');
    assert.equal(shownAccount('GB29NWBK60161331926819'), 'GB29 NWBK 6016 1331 9268 19');
    const names = fieldsOfAccount(parseAccount('CA:00312345:1')).map(({ name }) => name);
    assert.deepEqual(names, ['institution', 'transit', 'number']);
  });

  it('has one key, with leading zeros or without', () => {
    assert.equal(accountKeyOf(parseAccount('CA:00312345:0012345')), 'CA:00312345:12345');
    assert.equal(accountKeyOf(parseAccount('DE89370400440532013000')), 'DE89370400440532013000');
  });

  it('is named by the clearing code of its country, and OTHER by none', () => {
    const codes = ['CA:00312345:1', 'US:021000021:1', 'GB:601613:1', 'AU:062000:1', 'OTHER:X:1'];
    assert.deepEqual(
      codes.map((text) => Object.values(clearingOf(parseAccount(text)) ?? {}).join(' ')),
      ['CACPA 000312345', 'USABA 021000021', 'GBDSC 601613', 'AUBSB 062000', ''],
    );
    const found = accountAtMember('CACPA', '000312345', '0012345');
    assert.equal(found && formatAccount(found), 'CA:00312345:0012345');
    assert.equal(accountAtMember('CACPA', '000312345', '12'), null);
    assert.equal(accountAtMember('DEBLZ', '37040044', '532013000'), null);
  });

  it('has both names where it is British', () => {
    const domestic = domesticOf(parseAccount('GB29NWBK60161331926819'));
    assert.equal(formatAccount(domestic), 'GB:601613:31926819');
    assert.equal(domesticOf(parseAccount('DE89370400440532013000')).scheme, 'IBAN');
  });

  it('is at the bank that a clearing id or a BIC names', () => {
    const account = parseAccount('CA:00312345:1234567');
    const at = (...codes: string[]) => isBankOf(account, 'ROYCCAT2', codes);
    assert.deepEqual(
      [at('000312345'), at('312345'), at('ROYCCAT2XXX'), at('000412345'), at('BOFMCAM2'), at()],
      [true, true, true, false, false, false],
    );
    assert.equal(isBankOf(account, null, ['ROYCCAT2']), false);
    assert.equal(isBankOf(parseAccount('OTHER:COBADEFF:12345'), null, ['COBADEFFXXX']), true);
  });

  it('is not at another branch of its bank', () => {
    const account = parseAccount('CA:00312345:1234567');
    assert.equal(isBankOf(account, 'ROYCCAT2', ['000399999', 'ROYCCAT2']), false);
    assert.equal(isBankOf(account, 'ROYCCAT2', ['000312345', 'BOFMCAM2']), true);
  });
});
