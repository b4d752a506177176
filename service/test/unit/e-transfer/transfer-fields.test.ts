import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { transferFields } from '#e-transfer/bank-transfer/pages/transfer-fields.ts';
import type { TransferRequest } from '#e-transfer/bank-transfer/transfer-request.ts';

/** The rows that a payer sees, without the holder, the amount and the reference. */
function rowsOf(language: 'en' | 'fr', currency: string, accountNumber: string): string[] {
  const account = { holder: 'Harbour Books', accountNumber, bic: null, etransferAddress: null };
  const request = { account, currency, amountCents: 2_550, receivedCents: 0, reference: 'RF18' };
  const html = transferFields(request as unknown as TransferRequest, language);
  const rows = html.matchAll(/<dt>(.*?)<\/dt>.*?data-\w+="(.*?)".*?aria-label="(.*?)"/gs);
  return [...rows].map(([, ...words]) => words.join(' | ')).slice(1, -2);
}

describe('the lines of an account on the transfer page', () => {
  const british = [
    'Sort code | 601613 | Copy the sort code',
    'Account number | 31926819 | Copy the account number',
  ];
  for (const [language, currency, account, rows] of [
    [
      'en',
      'USD',
      'US:021000021:1234',
      [
        'Routing number (ABA) | 021000021 | Copy the routing number',
        'Account number | 1234 | Copy the account number',
      ],
    ],
    [
      'fr',
      'USD',
      'US:021000021:1234',
      [
        'Numéro d’acheminement (ABA) | 021000021 | Copier le numéro d’acheminement',
        'Numéro de compte | 1234 | Copier le numéro de compte',
      ],
    ],
    ['en', 'GBP', 'GB:601613:31926819', british],
    [
      'en',
      'GBP',
      'GB29NWBK60161331926819',
      [...british, 'IBAN | GB29NWBK60161331926819 | Copy the IBAN'],
    ],
    [
      'fr',
      'GBP',
      'GB:601613:31926819',
      [
        'Code guichet (sort code) | 601613 | Copier le code guichet',
        'Numéro de compte | 31926819 | Copier le numéro de compte',
      ],
    ],
    ['en', 'EUR', 'GB29NWBK60161331926819', ['IBAN | GB29NWBK60161331926819 | Copy the IBAN']],
    [
      'en',
      'AUD',
      'AU:062000:12345',
      ['BSB | 062000 | Copy the BSB', 'Account number | 12345 | Copy the account number'],
    ],
    [
      'fr',
      'AUD',
      'AU:062000:12345',
      [
        'Code BSB | 062000 | Copier le code BSB',
        'Numéro de compte | 12345 | Copier le numéro de compte',
      ],
    ],
    [
      'en',
      'CAD',
      'OTHER:HDFC0000123:50100',
      ['Bank | HDFC0000123 | Copy the bank', 'Account number | 50100 | Copy the account number'],
    ],
  ] as const) {
    it(`are those of ${account} in ${currency}, in ${language}`, () => {
      assert.deepEqual(rowsOf(language, currency, account), rows);
    });
  }
});
