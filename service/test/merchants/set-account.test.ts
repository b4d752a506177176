import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { readBic, readIban } from '#lib/bank/iban.ts';
import { findCurrentAccount } from '#merchants/accounts/find-current-account.ts';
import { runCli } from '../commands/run-cli.ts';
import { type Production, startProduction } from '../support/service/production.ts';

const DE = 'DE89370400440532013000';
const CH = 'CH9300762011623852957';
const NL = 'NL91ABNA0417164300';
const HOLDER = 'Hafen Bücher GmbH';

let production: Production;
let merchantId: string;

before(async () => {
  production = await startProduction();
});
after(() => production.stop());
beforeEach(async () => {
  ({ merchantId } = await production.service.createMerchant({ name: 'Hafen Bücher' }));
  // Each test has the IBANs for itself.
  const { sql } = production.service.database;
  await sql('DELETE FROM creditor_accounts');
  await sql('DELETE FROM creditor_account_keys');
});

const cli = (...args: string[]) => runCli(args, production.service.env);
const setAccount = (...options: string[]) =>
  cli('merchant', 'set-account', '--merchant', merchantId, '--json', ...options);
const set = (iban: string, holder = HOLDER) => setAccount('--holder', holder, '--iban', iban);

async function listed() {
  const ran = await cli('merchant', 'list-accounts', '--merchant', merchantId, '--json');
  assert.equal(ran.exitCode, 0, ran.stderr);
  return ran.json().accounts;
}

/** The account that the next payment request shows. */
function currentAccount() {
  return findCurrentAccount(production.service.database.db, merchantId);
}

function audited() {
  return production.service.database.sql(
    `SELECT action, details FROM audit_log
     WHERE merchant_id = $1 AND action LIKE 'MERCHANT_ACCOUNT%' ORDER BY id`,
    [merchantId],
  );
}

describe('payreq merchant set-account', () => {
  it('sets an account as people write it, and shows it to payers from then on', async () => {
    const ran = await setAccount(
      ...['--holder', ` ${HOLDER} `, '--iban', 'de89 3704 0044 0532 0130 00', '--bic', 'cobadeff'],
    );
    assert.equal(ran.exitCode, 0, ran.stderr);
    const { version, holder, iban, bic } = ran.json();
    const wanted = { version: 1, holder: HOLDER, iban: DE, bic: 'COBADEFF' };
    assert.deepEqual({ version, holder, iban, bic }, wanted);
    const { id: _, ...account } = (await currentAccount()) ?? assert.fail();
    assert.deepEqual(account, { holder: HOLDER, accountNumber: DE, bic: 'COBADEFF' });
    const details = { version: 1, ...account };
    assert.deepEqual(await audited(), [{ action: 'MERCHANT_ACCOUNT_CHANGED', details }]);
  });

  it('keeps the holder’s address, of which a change is a new version', async () => {
    const zurich = ['--postal-code', ' 8001', '--town', 'Zürich', '--country', 'ch'];
    const account = ['--holder', HOLDER, '--iban', CH, '--street', 'Hafenstrasse 7'];
    const ran = await setAccount(...account, ...zurich);
    assert.equal(ran.exitCode, 0, ran.stderr);
    const place = { postalCode: '8001', town: 'Zürich', country: 'CH' };
    const address = { street: 'Hafenstrasse 7', ...place };
    assert.deepEqual(ran.json().address, address);
    assert.equal((await setAccount(...account, ...zurich)).json().version, 1);
    assert.equal((await setAccount(...account.slice(0, 4), ...zurich)).json().version, 2);
    const versions = await listed();
    assert.deepEqual(
      versions.map((each: { address: object }) => each.address),
      [address, { ...address, street: null }],
    );
    const [{ details }] = (await audited()) as [{ details: { address: object } }];
    assert.deepEqual(details.address, address);
  });

  it('warns for a QR-IBAN without the address that a Swiss QR-bill names', async () => {
    assert.equal((await set(CH)).stderr, '');
    const qrIban = 'CH4431999123000889012';
    assert.match((await set(qrIban)).stderr, /^Payers see no QR code: a Swiss QR-bill names/);
  });

  it('tells the merchant of a new account, and not of the account that it has', async () => {
    for (const iban of [DE, DE, NL]) await set(iban);
    const notices = await production.service.database.sql(
      `SELECT kind, number_end AS now, previous_number_end AS before FROM merchant_notices
       WHERE merchant_id = $1 ORDER BY created_at, id`,
      [merchantId],
    );
    assert.deepEqual(notices, [
      { kind: 'ACCOUNT_CHANGED', now: '3000', before: null },
      { kind: 'ACCOUNT_CHANGED', now: '4300', before: '3000' },
    ]);
  });

  it('writes a version for each change, and none for the account that the merchant has', async () => {
    await set(DE);
    const again = await set(DE);
    assert.equal(again.json().version, 1);
    assert.equal((await set(DE, 'Hafen Bücher AG')).json().version, 2);
    assert.equal((await set(NL)).json().version, 3);
    const versions = await listed();
    assert.deepEqual(
      versions.map(
        ({ version, replacedDateTime }: { version: number; replacedDateTime: string }) => [
          version,
          replacedDateTime === null,
        ],
      ),
      [
        [1, false],
        [2, false],
        [3, true],
      ],
    );
    assert.equal((await audited()).length, 3);
    const words = await cli('merchant', 'list-accounts', '--merchant', merchantId);
    assert.match(words.stdout, /^1 +FORMER .*\n2 +FORMER .*\n3 +CURRENT +2026-03-01 +NL91ABNA/m);
  });

  it('sets an account without an IBAN, which belongs to one merchant with its zeros or without', async () => {
    const canadian = ['--holder', HOLDER, '--scheme', 'ca', '--bank', '003-12345', '--number'];
    const ran = await setAccount(...canadian, '001 2345', '--statement-id', '12345-CAD');
    const { scheme, bank, number, statementId, iban } = ran.json();
    assert.deepEqual([scheme, bank, number, iban], ['CA', '00312345', '0012345', undefined]);
    assert.equal(statementId, '12345-CAD');
    assert.equal((await currentAccount())?.accountNumber, 'CA:00312345:0012345');
    const owner = merchantId;
    ({ merchantId } = await production.service.createMerchant({ name: 'Other Books' }));
    const foreign = await setAccount(...canadian, '12345');
    assert.match(foreign.stderr, new RegExp(`--number is, or was, the account of .*"${owner}"`));
    const text = await setAccount(...canadian, '99999', '--statement-id', '12345-CAD');
    assert.match(text.stderr, /--statement-id is the text of another account/);
  });

  it('takes a British account under one of its two names', async () => {
    const british = 'GB29NWBK60161331926819';
    const lines = ['--scheme', 'GB', '--bank', '601613', '--number', '31926819'];
    assert.equal((await set(british)).exitCode, 0);
    const again = await setAccount('--holder', HOLDER, ...lines);
    assert.match(again.stderr, /--number: the account is set already, as GB29 NWBK 6016 1331/);
    ({ merchantId } = await production.service.createMerchant({ name: 'Other Books' }));
    const foreign = await setAccount('--holder', HOLDER, ...lines);
    assert.match(foreign.stderr, /--number is, or was, the account of the merchant/);
  });

  it('lets a merchant return to an account of its own', async () => {
    for (const iban of [DE, NL, DE]) assert.equal((await set(iban)).exitCode, 0);
    const versions = await listed();
    assert.deepEqual(
      versions.map(({ iban }: { iban: string }) => iban),
      [DE, NL, DE],
    );
  });

  it('refuses an account that another merchant has or had, and names the merchant alone', async () => {
    await set(DE);
    await set(NL);
    const owner = merchantId;
    ({ merchantId } = await production.service.createMerchant({ name: 'Other' }));
    for (const iban of [DE, NL]) {
      const ran = await set(iban, 'Other Ltd.');
      assert.equal(ran.exitCode, 1);
      assert.equal(
        ran.stderr,
        `--iban is, or was, the account of the merchant "${owner}": ` +
          'each account belongs to one merchant.\n',
      );
    }
    assert.deepEqual(await listed(), []);
    assert.deepEqual(await audited(), []);
  });

  it('gives an IBAN to one of two merchants at once', async () => {
    const first = merchantId;
    const { merchantId: second } = await production.service.createMerchant({ name: 'Other' });
    const runs = await Promise.all(
      [first, second].map((id) =>
        cli('merchant', 'set-account', '--merchant', id, '--holder', 'X', '--iban', CH),
      ),
    );
    assert.deepEqual(runs.map(({ exitCode }) => exitCode).sort(), [0, 1]);
  });

  it('keeps versions apart when two operators change an account at once', async () => {
    const runs = await Promise.all([set(DE), set(NL), set(CH)]);
    assert.deepEqual(runs.map((ran) => ran.json().version).sort(), [1, 2, 3]);
    const current = (await listed()).filter(
      (each: { replacedDateTime: string | null }) => each.replacedDateTime === null,
    );
    assert.equal(current.length, 1);
  });

  it('closes a version once, and shows a closed account to no payer', async () => {
    await set(DE);
    const closed = await setAccount('--close', '1');
    assert.equal(closed.exitCode, 0, closed.stderr);
    const { closedDateTime } = closed.json();
    assert.match(closedDateTime, /^2026-03-01T12:00:00/);
    await production.service.advance(60);
    assert.equal((await setAccount('--close', '1')).json().closedDateTime, closedDateTime);
    assert.equal(await currentAccount(), null);
    assert.equal((await audited()).length, 2);
    // The bank has reopened it.
    assert.equal((await set(DE)).json().version, 2);
    const found = await currentAccount();
    assert.equal(found?.accountNumber, DE);
  });

  it('keeps the current account when a former one is closed', async () => {
    await set(DE);
    await set(NL);
    await setAccount('--close', '1');
    const found = await currentAccount();
    assert.equal(found?.accountNumber, NL);
  });

  const REFUSED: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['no IBAN', ['--iban', '12345'], /^--iban is no IBAN: it must begin with two letters/],
    ['a cut IBAN', ['--iban', 'DE89'], /^--iban is no IBAN: it is too short or too long/],
    ['Canada', ['--iban', 'CA89370400440532013000'], /^--iban is no IBAN: its first two letters/],
    ['a digit too few', ['--iban', DE.slice(0, -1)], /^--iban is no IBAN: it is too short or too/],
    ['a wrong digit', ['--iban', DE.replace('37', '73')], /^--iban is no IBAN: its check digits/],
    ['no holder', ['--iban', DE, '--holder', ' '], /^--holder must be 1 to 70 printable/],
    ['a long holder', ['--iban', DE, '--holder', 'x'.repeat(71)], /^--holder must be 1 to 70/],
    ['a hidden sign', ['--iban', DE, '--holder', 'A\u202eB'], /^--holder must be 1 to 70/],
    ['no BIC', ['--iban', DE, '--bic', 'COBADE'], /^--bic is no BIC: it has 8 or 11 characters/],
    ['half an address', ['--iban', DE, '--town', 'Ulm'], /^An address needs --postal-code/],
    ...(
      [
        ['--street', ' ', /^--street must be 1 to 70 printable/],
        ['--postal-code', '9'.repeat(17), /^--postal-code must be 1 to 16 printable/],
        ['--town', 'U\nlm', /^--town must be 1 to 35 printable/],
        ['--country', 'ZZ', /^--country must be a country of ISO 3166 in two letters/],
        ['--country', 'Germany', /^--country must be a country/],
      ] as const
    ).map(([option, text, sentence]) => {
      const address = ['--postal-code', '89073', '--town', 'Ulm', '--country', 'DE'];
      const options = ['--iban', DE, ...address, option, text];
      return [`${option} ${text}`, options, sentence] as const;
    }),
    ['--close with an address', ['--close', '1', '--town', 'Ulm'], /^--close stands alone/],
    ['an unknown version', ['--close', '9'], /^The merchant has no version 9 of its account/],
    ['two accounts', ['--iban', DE, '--scheme', 'CA'], /^Give --iban, or --scheme with --bank/],
    ['a bank beside an IBAN', ['--iban', DE, '--bank', '1'], /^--bank stands beside --scheme/],
    ['no scheme', ['--scheme', 'XX'], /^--scheme must be one of CA, US, GB, AU, OTHER/],
    ['no bank', ['--scheme', 'CA', '--number', '12345'], /^--bank of the scheme CA must be inst/],
    [
      'a wrong routing number',
      ['--scheme', 'US', '--bank', '021000022', '--number', '1234'],
      /^--bank of the scheme US must be a routing number of 9 digits with its check digit/,
    ],
    [
      'a short number',
      ['--scheme', 'GB', '--bank', '60-16-13', '--number', '1'],
      /^--number of the scheme GB must be 8 digits/,
    ],
    [
      'an e-Transfer address outside of Canada',
      ['--iban', DE, '--etransfer-address', 'pay@shop.example'],
      /^--etransfer-address is for accounts of the scheme CA/,
    ],
    [
      'no e-Transfer address',
      ['--scheme', 'CA', '--bank', '00312345', '--number', '12345', '--etransfer-address', 'pay'],
      /^--etransfer-address must be an e-mail address/,
    ],
    ['a text beside an IBAN', ['--iban', DE, '--statement-id', '1'], /^--statement-id is for acc/],
    [
      'a long text of statements',
      [
        '--scheme',
        'CA',
        '--bank',
        '00312345',
        '--number',
        '12345',
        '--statement-id',
        '1'.repeat(35),
      ],
      /^--statement-id must be 1 to 34 printable ASCII characters/,
    ],
    ['--close with an IBAN', ['--close', '1', '--iban', DE], /^--close stands alone/],
    ['nothing', [], /^Give --holder and --iban or --scheme, or --close/],
  ];
  for (const [name, options, sentence] of REFUSED) {
    it(`refuses ${name} with a sentence that repeats no IBAN`, async () => {
      const holder = /--iban|--scheme/.test(options.join()) && !options.includes('--holder');
      const ran = await setAccount(
        ...options,
        ...(holder && !options.includes('--close') ? ['--holder', HOLDER] : []),
      );
      assert.equal(ran.exitCode, 1);
      assert.match(ran.stderr, sentence);
      assert.doesNotMatch(ran.stderr, /370400440532013|734000440/);
      assert.deepEqual(await listed(), []);
    });
  }

  it('refuses an unknown merchant', async () => {
    merchantId = 'nobody';
    assert.match((await set(DE)).stderr, /There is no merchant "nobody"/);
  });
});

describe('an IBAN', () => {
  // Examples of the IBAN registry (ISO 13616).
  const EXAMPLES = [
    ...[DE, CH, NL, 'GB29NWBK60161331926819', 'FR1420041010050500013M02606', 'NO9386011117947'],
    ...['MT84MALT011000012345MTLCAST001S', 'CZ6508000000192000145399', 'SE4550000000058398257466'],
    ...[
      'LI21088100002324013AA',
      'BR1800360305000010009795493C1',
      'HN88CABF00000000000250005469',
      'LC55HEMM000100010012001200023015',
    ],
  ];
  it('is read in any case, with blanks and dashes', () => {
    for (const iban of EXAMPLES) {
      const written = iban.toLowerCase().replaceAll(/(.{4})/g, '$1 -');
      assert.deepEqual(readIban(written), { iban });
    }
  });

  it('has check digits that find each changed or exchanged digit', () => {
    for (let at = 4; at < DE.length; at++) {
      const changed = DE.slice(0, at) + ((Number(DE[at]) + 1) % 10) + DE.slice(at + 1);
      assert.deepEqual(readIban(changed), { fault: 'WRONG_CHECK_DIGITS' });
    }
  });

  it('has the length of its country', () => {
    assert.deepEqual(readIban(`${DE}0`), { fault: 'WRONG_LENGTH' });
    assert.deepEqual(readIban('US64SVBKUS6S3300958879'), { fault: 'UNKNOWN_COUNTRY' });
    assert.deepEqual(readIban(''), { fault: 'NO_IBAN' });
    // Accounts in Guadeloupe have IBANs of France.
    assert.deepEqual(readIban('GP4120041010050500013M02606'), { fault: 'UNKNOWN_COUNTRY' });
  });

  it('is no BIC', () => {
    assert.equal(readBic('deutdeff500'), 'DEUTDEFF500');
    for (const text of [DE, 'DEUTDE', 'DEUT1EFF', '']) assert.equal(readBic(text), null);
  });
});
