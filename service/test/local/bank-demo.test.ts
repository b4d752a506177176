import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { SERVICE_VERSION } from '#version.ts';
import { askForPayment } from './local-calls.ts';
import {
  copyProject,
  type EnvironmentCredentials,
  type LocalProject,
  type Start,
  WITHOUT_PROC,
} from './local-project.ts';

describe('BANK_DEMO=1 npm start', { skip: WITHOUT_PROC }, () => {
  let project: LocalProject;
  let start: Start;
  let folder: string;
  let production: EnvironmentCredentials;

  before(async () => {
    project = await copyProject();
    start = project.start({ BANK_DEMO: '1' });
    await start.ready();
    folder = join(project.localDir, 'bank-demo');
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
    assert.equal(statSync(join(folder, 'bank-statements')).mode & 0o777, 0o700);
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
    assert.match(html, /Transfer €10\.00 to Demo Shop/);
    assert.match(html, /no real money moves/);
  });

  it('shows the prices of the shop in the currency of its payment requests', async () => {
    const { shopUrl } = JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8'));
    assert.match(await (await fetch(shopUrl)).text(), /€15\.75/);
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
