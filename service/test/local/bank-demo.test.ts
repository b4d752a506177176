import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { SERVICE_VERSION } from '#version.ts';
import { eventually } from '../support/eventually.ts';
import { COMMAND_LINE } from '../support/service/command-line.ts';
import { askForPayment, askForRefund, readAt, readPaymentRequest } from './local-calls.ts';
import {
  copyProject,
  type EnvironmentCredentials,
  type LocalProject,
  type Start,
  WITHOUT_PROC,
} from './local-project.ts';

describe('CURRENCY=CAD BANK_DEMO=sftp npm start', { skip: WITHOUT_PROC }, () => {
  let project: LocalProject;
  let start: Start;
  let folder: string;
  let production: EnvironmentCredentials;
  let paidId: string;

  before(async () => {
    project = await copyProject();
    start = project.start({ BANK_DEMO: 'sftp', CURRENCY: 'CAD' });
    await start.ready();
    folder = join(project.localDir, 'bank-demo-sftp-cad');
    const credentials = JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8'));
    production = credentials.production;
  });
  after(async () => {
    start.child.kill('SIGTERM');
    await start.ended();
    project.remove();
  });

  it('keeps its state away from that of npm start', () => {
    assert.ok(existsSync(join(folder, 'postgres')));
    assert.ok(!existsSync(join(project.localDir, 'postgres')));
    assert.equal(statSync(join(folder, 'bank', 'out')).mode & 0o777, 0o700);
    assert.equal(statSync(join(folder, 'bank-sftp-key')).mode & 0o777, 0o600);
    assert.match(readFileSync(join(folder, 'production.env'), 'utf8'), /^BANK_DEMO='yes'$/m);
    assert.doesNotMatch(readFileSync(join(folder, 'sandbox.env'), 'utf8'), /BANK_/);
  });

  it('leads payers to a bank transfer that says that no real money moves', async () => {
    const created = await askForPayment(production);
    assert.equal(created.status, 201);
    const { paymentLink } = (await created.json()) as { paymentLink: string };
    const page = await fetch(paymentLink);
    const html = await page.text();
    assert.match(page.url, /\/transfer\/[\w-]{22}$/);
    assert.match(html, /Transfer \$10\.00 to Demo Shop/);
    assert.match(html, /no real money moves/);
  });

  /** The command line itself: payreq.test.ts types `./payreq`, which loads 1,200 modules. */
  async function payreq(...args: string[]): Promise<string> {
    const env = ['--env-file', join(folder, 'production.env')];
    const words = ['--', COMMAND_LINE, ...env, ...args];
    const { stdout } = await promisify(execFile)(process.execPath, words);
    return stdout;
  }

  it('leads payers with an e-Transfer, and takes the money into books that agree', async () => {
    const created = await askForPayment(production);
    const { id, paymentLink } = (await created.json()) as Record<'id' | 'paymentLink', string>;
    paidId = id;
    const html = await eventually(async () => {
      const page = await (await fetch(paymentLink)).text();
      return page.includes('Interac e-Transfer') ? page : undefined;
    }, 'the proven Interac address');
    assert.ok(html.indexOf('pay@demo-shop.example') < html.indexOf('Institution number'));
    assert.match(await payreq('bank', 'demo-pay', paymentLink), /^sftp:.*\/out\/DEMO-\w+\.xml/);
    await eventually(async () => (await readPaymentRequest(production, id)).status === 'PAID');
    const day = new Date().toISOString().slice(0, 10);
    const { lines, faults } = JSON.parse(await payreq('bank', 'reconcile', '--day', day, '--json'));
    assert.deepEqual(faults, []);
    // An operator has sent 1.00 as the proof, and it is none of the merchant's payments.
    assert.deepEqual(
      lines.map(({ state, amount }: Record<string, string>) => `${state} ${amount}`).sort(),
      ['MATCHED 10.00', 'UNMATCHED 1.00'],
    );
  });

  it('has a bank that takes a payment file once a person has released it', async () => {
    const check = await payreq('bank', 'connection', 'check');
    assert.match(check, /ok +write to \/in\nok +rename in \/in\nok +remove from \/in/);
    const refundId = await askForRefund(production, paidId, 4);
    const messageId = await eventually(async () => {
      await payreq('bank', 'refunds');
      return JSON.parse(await payreq('bank', 'payment-file', 'list', '--json'))[0]?.messageId;
    }, 'the payment file');
    const taken = () => readdirSync(join(folder, 'bank', 'in'));
    assert.deepEqual(taken(), []);
    await payreq('bank', 'payment-file', 'release', messageId, '--yes');
    await eventually(async () => taken().includes(`${messageId}.xml`), 'the file', 90_000);
    await payreq('bank', 'demo-pay', '--refunds');
    await eventually(async () => {
      const refund = await readAt(production, `/refunds/${refundId}`);
      return refund.status === 'COMPLETED';
    }, 'the refund');
  });

  it('shows the prices of the shop in the currency of its payment requests', async () => {
    const { shopUrl } = JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8'));
    assert.match(await (await fetch(shopUrl)).text(), /\$15\.75/);
  });

  it('says so in readiness and log, and what to do next', async () => {
    const ready = await fetch(`${production.opsUrl}/health/ready`);
    assert.deepEqual(await ready.json(), {
      status: 'ready',
      version: SERVICE_VERSION,
      simulatedNetwork: true,
    });
    const log = readFileSync(join(folder, 'logs', 'production.log'), 'utf8');
    assert.match(log, /"simulatedNetwork":true/);
    assert.match(start.output(), /payreq --env-file .*production\.env'? bank demo-pay LINK/);
  });
});
