import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isMailAddress } from '#messages/mail/mail-address.ts';

const GOOD = ['ada@example.com', 'a+b@sub.example.co', '"a.b"@example.com'];
const IN_OTHER_LETTERS = ['ada@bücher.example', 'ada@例え.テスト'];
const OTHERS = [
  'ada@example.com/x',
  'ada@ex%61mple.com',
  'ada@0x7f.1',
  'ada@[127.0.0.1]',
  'jörg@example.com',
  'ada love@example.com',
  '@example.com',
  'ada',
];

it('an address that a mail reaches as it stands is one', () => {
  for (const address of [...GOOD, ...IN_OTHER_LETTERS]) assert.ok(isMailAddress(address), address);
});

it('an address that would be read as another, or needs more than every server has, is none', () => {
  for (const address of OTHERS) assert.ok(!isMailAddress(address), address);
});
