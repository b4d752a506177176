import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { visitConsole } from '../support/console/console-client.ts';
import { linkPackages } from './link-packages.ts';
import { askForPayment, endpointsOf, readStatus, requestToken } from './local-calls.ts';
import {
  type Credentials,
  copyProject,
  kill,
  type LocalProject,
  onlyProcess,
  postgresPid,
  type Start,
  untilNothingRuns,
  WITHOUT_PROC,
} from './local-project.ts';

const ENVIRONMENT_MEMBERS = [
  'baseUrl',
  'authUrl',
  'paymentLinkBase',
  'opsUrl',
  'merchantId',
  'username',
  'password',
  'apiKey',
  'listener',
];

describe('npm start', { skip: WITHOUT_PROC }, () => {
  let project: LocalProject;
  let start: Start;
  let paymentRequestId: string;
  let order: string;
  let renewed: Credentials;

  before(async () => {
    project = await copyProject();
    // Only these are there after a first start: the tests add the tools of development.
    linkPackages(project.folder, ({ dev }) => !dev);
    start = project.start();
    await start.ready();
  });

  after(() => project.remove());

  /** Starts again after the changes of the test before. */
  async function startAgain(env: Readonly<Record<string, string>> = {}): Promise<void> {
    await untilNothingRuns(project);
    start = project.start(env);
    await start.ready();
  }

  it('writes credentials.json with exactly the members of the contract', () => {
    const { sandbox, production, shopUrl, inboxUrl, tls, ...others } = project.credentials();
    for (const credentials of [sandbox, production]) {
      assert.deepEqual(Object.keys(credentials), ENVIRONMENT_MEMBERS);
      const { username, password, signingSecret, ...rest } = credentials.listener;
      assert.ok(username && password);
      assert.match(signingSecret, /^whsec_/);
      assert.deepEqual(rest, {});
    }
    const port = project.basePort;
    assert.equal(sandbox.baseUrl, `http://localhost:${port + 10}/v1`);
    assert.equal(production.authUrl, `http://localhost:${port + 20}/oauth2/token`);
    assert.equal(production.paymentLinkBase, `http://localhost:${port + 20}/pay`);
    assert.equal(sandbox.opsUrl, `http://localhost:${port + 11}`);
    assert.equal(shopUrl, `http://localhost:${port}`);
    assert.ok(inboxUrl.startsWith(`${shopUrl}/staff/inbox?key=`), inboxUrl);
    assert.deepEqual(Object.keys(tls), ['ca', 'cert', 'key']);
    assert.deepEqual(others, {});
  });

  it('lets only the owner read what is secret', () => {
    const names = ['credentials.json', 'secrets.json', 'sandbox.env', 'production.env'];
    for (const path of [...names, 'tls/key.pem']) {
      assert.equal(statSync(join(project.localDir, path)).mode & 0o777, 0o600, path);
    }
  });

  it('makes a certificate for this machine that its authority vouches for', () => {
    const { tls } = project.credentials();
    const [ca, cert] = [tls.ca, tls.cert].map((path) => new X509Certificate(readFileSync(path)));
    assert.ok(ca && cert);
    assert.ok(cert.verify(ca.publicKey));
    assert.equal(cert.checkHost('localhost'), 'localhost');
    assert.equal(cert.checkIP('127.0.0.1'), '127.0.0.1');
    assert.equal(cert.checkIP('::1'), '::1');
    assert.equal(cert.checkHost('example.com'), undefined);
  });

  it('runs both environments with credentials that work there and not elsewhere', async () => {
    const { sandbox, production } = project.credentials();
    assert.equal((await requestToken(sandbox)).status, 200);
    assert.equal((await requestToken(production)).status, 200);
    assert.equal((await requestToken(sandbox, production.authUrl)).status, 401);
    const created = await askForPayment(sandbox);
    assert.equal(created.status, 201);
    paymentRequestId = ((await created.json()) as { id: string }).id;
  });

  it('opens the demo shop, which asks the production service for payments', async () => {
    const { production, shopUrl } = project.credentials();
    order = await orderFrom(shopUrl);
    const paid = await fetch(`${shopUrl}${order}/payment`, { method: 'POST', redirect: 'manual' });
    assert.equal(paid.status, 303);
    const link = paid.headers.get('location') ?? '';
    assert.ok(link.startsWith(`${production.paymentLinkBase}/`), link);
    const page = await (await fetch(link)).text();
    assert.ok(/<img src="[^"]*\/merchant-logos\//.test(page), 'payers see the logo of the shop');
    assert.deepEqual(await endpointsOf(production), [shopListenerOf(project.basePort)]);
    assert.deepEqual(await endpointsOf(project.credentials().sandbox), []);
  });

  it('shows the mails of production, to a browser and to a program', async () => {
    const { inboxUrl } = project.credentials();
    assert.match(await (await fetch(inboxUrl)).text(), /No e-mails so far/);
    const answer = await fetch(inboxUrl, { headers: { accept: 'application/json' } });
    assert.deepEqual(await answer.json(), { data: [] });
    assert.equal((await fetch(inboxUrl.split('?')[0] ?? '')).status, 403);
  });

  it('prints a link to each console, which signs the operator in once', async () => {
    const printed = start.output().match(/http:\/\/\S+\/console\/sign-in\/link#[\w-]{43}/g) ?? [];
    assert.deepEqual(
      printed.map((link) => new URL(link).port),
      [`${project.basePort + 10}`, `${project.basePort + 20}`],
    );
    for (const printedLink of printed) {
      const { origin, hash } = new URL(printedLink);
      const client = visitConsole({ url: origin });
      await client.get('/console/sign-in/link');
      const used = await client.post('/console/sign-in/link', { link: hash });
      assert.equal(used.location, '/console');
      assert.equal((await client.get('/console/operator/sessions')).status, 200);
    }
  });

  it('gives payreq a settings file for each environment', () => {
    for (const environment of ['sandbox', 'production'] as const) {
      const file = join(project.localDir, `${environment}.env`);
      const args = ['--env-file', file, 'merchant', 'list', '--json'];
      const printed = execFileSync(join(project.folder, 'payreq'), args);
      const { merchants } = JSON.parse(printed.toString());
      assert.equal(merchants.length, 1);
      assert.equal(merchants[0].name, 'Demo Shop');
      assert.equal(merchants[0].merchantId, project.credentials()[environment].merchantId);
      assert.deepEqual(merchants[0].returnOrigins, [project.credentials().shopUrl]);
    }
  });

  it('refuses a second start on the same folder, and says who has it', async () => {
    const second = project.start();
    assert.equal(await second.ended(), 1);
    assert.match(second.output(), /npm start failed: npm start runs already with .*process \d+/);
    assert.equal((await requestToken(project.credentials().sandbox)).status, 200);
  });

  it('stops all of it at SIGTERM', async () => {
    start.child.kill('SIGTERM');
    assert.equal(await start.ended(), 0);
    assert.match(start.output(), /^Stopped\.$/m);
    assert.deepEqual(project.processes(), []);
    assert.equal(postgresPid(project.localDir), null);
  });

  it('makes new credentials when credentials.json is lost, and says so', async () => {
    const { sandbox } = project.credentials();
    rmSync(join(project.localDir, 'credentials.json'));
    await startAgain();
    assert.match(start.output(), /credentials\.json was lost, so it has new credentials/);
    renewed = project.credentials();
    assert.equal(renewed.sandbox.merchantId, sandbox.merchantId);
    assert.notEqual(renewed.sandbox.password, sandbox.password);
    assert.deepEqual(renewed.sandbox.listener, sandbox.listener);
    assert.equal(await readStatus(renewed.sandbox, paymentRequestId), 200);
  });

  it('stops all of it when a service is asked to stop', async () => {
    kill(onlyProcess(project, 'cli.ts serve'), 'SIGTERM');
    assert.equal(await start.ended(), 0);
    await untilNothingRuns(project);
    assert.equal(postgresPid(project.localDir), null);
  });

  it('keeps the shop’s orders, and moves its listener along with BASE_PORT', async () => {
    const elsewhere = project.basePort + 5;
    await startAgain({ BASE_PORT: `${elsewhere}` });
    const { production, shopUrl } = project.credentials();
    assert.equal(shopUrl, `http://localhost:${elsewhere}`);
    assert.equal((await fetch(shopUrl + order)).status, 200);
    assert.deepEqual(await endpointsOf(production), [shopListenerOf(elsewhere)]);
  });

  it('stops all of it when PostgreSQL is asked to stop', async () => {
    kill(postgresPid(project.localDir) ?? 0, 'SIGTERM');
    assert.equal(await start.ended(), 0);
    await untilNothingRuns(project);
    assert.match(start.output(), /PostgreSQL has stopped/);
  });

  it('keeps data and credentials, moves the listener back, and hands settings to both services', async () => {
    await startAgain({ MAX_AMOUNT: '9.99' });
    assert.deepEqual(project.credentials(), renewed);
    const { sandbox, production } = renewed;
    assert.equal(await readStatus(sandbox, paymentRequestId), 200);
    assert.deepEqual(await endpointsOf(production), [shopListenerOf(project.basePort)]);
    for (const credentials of [sandbox, production]) {
      assert.equal((await askForPayment(credentials)).status, 400);
    }
  });

  it('leaves nothing running when its runner is killed', async () => {
    kill(onlyProcess(project, 'npm-start.mjs'), 'SIGKILL');
    assert.notEqual(await start.ended(), 0);
    await untilNothingRuns(project);
    assert.equal(postgresPid(project.localDir), null);
  });
});

function shopListenerOf(basePort: number): string {
  return `https://localhost:${basePort + 2}/webhooks`;
}

/** Buys a bag of coffee as a browser without script does; gives the order's path. */
async function orderFrom(shopUrl: string): Promise<string> {
  const post = (path: string, form: Record<string, string>) =>
    fetch(shopUrl + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: 'basket=harbour:1' },
      body: new URLSearchParams(form),
    });
  const token = crypto.randomUUID();
  const fields = { name: 'Pat Payer', email: 'pat@example.com', tender: 'E_TRANSFER', token };
  const placed = await post('/orders', fields);
  assert.equal(placed.status, 303);
  return placed.headers.get('location') ?? '';
}
