import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { checkSchema } from '../../support/bank/check-schema.ts';
import { ORACLES, WITHOUT_ORACLES } from '../../support/bank/oracles.ts';
import { readStatements } from '../../support/bank/read-statement-file.ts';
import { type Production, startProduction } from '../../support/service/production.ts';
import { runCli } from '../run-cli.ts';

const IBAN = 'DE89370400440532013000';
const NOTHING: readonly string[] = [];

describe('payreq bank demo-pay', () => {
  let folder: string;
  let production: Production;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bank-files-'));
    production = await startProduction({
      // Nothing takes the files away: the test reads them.
      roles: ['api'],
      settings: {
        E_TRANSFER_NETWORK: 'bank-transfer',
        CURRENCY: 'EUR',
        BANK_FILES_DIR: folder,
        BANK_DEMO: 'yes',
      },
    });
    const { merchantId } = production.merchant;
    const account = ['--holder', 'Harbour Books GmbH', '--iban', IBAN];
    const set = await run('merchant', 'set-account', '--merchant', merchantId, ...account);
    assert.equal(set.exitCode, 0, set.stderr);
    await production.service.database.sql('UPDATE deployment SET is_bank_demo = true');
  });
  after(async () => {
    await production?.stop();
    rmSync(folder, { recursive: true });
  });

  const run = (...args: string[]) => runCli(args, production.service.env);

  /** A link whose page was opened, so that its reference exists. */
  async function openLink(): Promise<string> {
    const { shortCode, paymentLink } = await production.createLink();
    await fetch(`${production.service.url}/pay/${shortCode}`, {
      redirect: 'manual',
      headers: { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    });
    return paymentLink;
  }

  it('writes a statement that pays the link, as a whole file', async () => {
    const link = await openLink();
    const { exitCode, stderr, ...ran } = await run('bank', 'demo-pay', link, '--json');
    assert.equal(exitCode, 0, stderr);
    const { path, amounts } = ran.json();
    assert.deepEqual(amounts, ['12.34 EUR']);
    assert.deepEqual(
      readdirSync(folder).map((name) => join(folder, name)),
      [path],
    );
    const { kind, statements } = readStatements(readFileSync(path));
    const [entry] = statements[0]?.entries ?? [];
    assert.equal(kind, 'camt.053');
    assert.equal(statements[0]?.account, IBAN);
    assert.equal(entry?.isBooked, true);
    assert.match(entry?.payments[0]?.structuredReferences[0] ?? '', /^RF\d{19}$/);
    const [opening, closing] = statements[0]?.balances ?? [];
    assert.equal((closing?.amountCents ?? 0) - (opening?.amountCents ?? 0), 1_234);
    rmSync(path);
  });

  it('writes another amount and another message when asked', async () => {
    const link = await openLink();
    const args = ['--amount', '40', '--as', 'camt054', '--json'];
    const { path } = (await run('bank', 'demo-pay', link, ...args)).json();
    const { kind, statements } = readStatements(readFileSync(path));
    assert.equal(kind, 'camt.054');
    assert.equal(statements[0]?.entries[0]?.amountCents, 4_000);
    rmSync(path);
  });

  it('writes files that are valid by ISO 20022', { skip: WITHOUT_ORACLES }, async () => {
    const link = await openLink();
    for (const as of ['camt053', 'camt054']) {
      const { path } = (await run('bank', 'demo-pay', link, '--as', as, '--json')).json();
      const schema = `xsd/camt.${as.slice(4)}.001.08.xsd`;
      checkSchema(readFileSync(path), new URL(schema, ORACLES));
      rmSync(path);
    }
  });

  it('refuses a link whose page was never opened, and a wrong amount', async () => {
    const { paymentLink } = await production.createLink();
    const closed = await run('bank', 'demo-pay', paymentLink);
    assert.equal(closed.exitCode, 1);
    assert.match(closed.stderr, /No page was opened for the payment link/);
    const wrong = await run('bank', 'demo-pay', paymentLink, '--amount', '1.234');
    assert.equal(wrong.exitCode, 2);
    assert.equal((await run('bank', 'demo-pay')).exitCode, 2);
    assert.equal((await run('bank', 'demo-pay', paymentLink, '--refunds')).exitCode, 2);
  });

  it('refuses a database that is not marked as a demo', async () => {
    const link = await openLink();
    await production.service.database.sql('UPDATE deployment SET is_bank_demo = false');
    const { exitCode, stderr } = await run('bank', 'demo-pay', link);
    assert.equal(exitCode, 1);
    assert.match(stderr, /not marked as a demo/);
    assert.deepEqual(readdirSync(folder), NOTHING);
  });
});
