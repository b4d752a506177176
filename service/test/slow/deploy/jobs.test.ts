import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { type SmtpServer, startSmtpServer } from '../../support/mail/smtp-server.ts';
import { startTestService, type TestService } from '../../support/service/service.ts';
import { PAYREQ } from '../../support/service/spawned-service.ts';
import { ROOT, runIn } from './release-copy.ts';

const SCRIPT = join(ROOT, 'deploy/systemd/run-job');
const DATE = /\d{4}-\d{2}-\d{2}/;

describe('the jobs of an operator', () => {
  let service: TestService;
  let smtp: SmtpServer;
  let folder: string;
  let state: string;

  before(async () => {
    service = await startTestService({ roles: ['api'] });
    smtp = await startSmtpServer();
  });
  after(async () => {
    await smtp?.close();
    await service?.stop();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'jobs-'));
    state = join(folder, 'state');
    for (const name of ['state', 'statements', 'refunds']) mkdirSync(join(folder, name));
    const settings = { ...service.env, TIME_ZONE: '"America/Toronto"' };
    const bank = { BANK_FILES_DIR: 'statements', BANK_REFUNDS_DIR: 'refunds' };
    const folders = Object.entries(bank).map(([name, path]) => `${name}=${join(folder, path)}`);
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
    writeFileSync(join(folder, 'settings.env'), [...lines, ''].join('\n'));
    writeFileSync(join(folder, 'bank.env'), [...folders, ''].join('\n'));
  });

  interface Done {
    readonly exitCode: number;
    readonly stderr: string;
  }

  /** Runs a job as its unit does; `payreq` and journalctl can be programs of the test. */
  function run(job: string, env: Record<string, string> = {}): Promise<Done> {
    const own = {
      PATH: `${folder}:${process.env.PATH}`,
      HOME: folder,
      STATE_DIRECTORY: state,
      SETTINGS_FILE: join(folder, 'settings.env'),
      PROGRAMS_FOLDER: folder,
      PAYREQ,
      ...env,
    };
    return new Promise((resolve) => {
      execFile('/bin/sh', [SCRIPT, ...job.split(' ')], { env: own }, (error, _, stderr) =>
        resolve({ exitCode: error ? Number(error.code) : 0, stderr }),
      );
    });
  }

  const program = (name: string, text: string) =>
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const inFolder = (name: string) => readdirSync(join(folder, name)).sort();
  const bank = () => ({ SETTINGS_FILE: join(folder, 'bank.env') });

  it('are a script that sh understands', () => {
    assert.deepEqual(runIn(folder, 'sh', '-n', SCRIPT), { exitCode: 0, output: '' });
  });

  it('look at everything, and keep the report and the audit log', async () => {
    for (const job of ['report', 'audit-export', 'doctor']) {
      assert.deepEqual(await run(job), { exitCode: 0, stderr: '' }, job);
    }
    const names = readdirSync(join(state, 'exports')).map((name) => name.replace(DATE, 'DAY'));
    assert.deepEqual(names.sort(), ['audit.jsonl', 'report-DAY.csv']);
  });

  it('keep the result of a command that finds a fault, and end with its exit code', async () => {
    program('failing', 'echo "account DE1 is short"; exit 7');
    const { exitCode, stderr } = await run('reconcile', { PAYREQ: join(folder, 'failing') });
    assert.equal(exitCode, 7);
    const [name = ''] = readdirSync(join(state, 'exports'));
    assert.match(name, /^reconcile-\d{4}-\d{2}-\d{2}\.txt$/);
    assert.equal(readFileSync(join(state, 'exports', name), 'utf8'), 'account DE1 is short\n');
    // The journal and the mails name the file, and no account.
    assert.match(stderr, /^reconcile: exit code 7, see .*reconcile-/);
    assert.doesNotMatch(stderr, /DE1/);
  });

  it('fail when the audit log no longer has the head of the last run', async () => {
    await service.createMerchant();
    assert.deepEqual(await run('audit-verify'), { exitCode: 0, stderr: '' });
    const head = readFileSync(join(state, 'audit-head'), 'utf8');
    assert.match(head, /^\S+\n$/);
    assert.equal((await run('audit-verify')).exitCode, 0);
    const other = head.replace(/[0-9a-f](?=\n)/, (digit) => (digit === '0' ? '1' : '0'));
    writeFileSync(join(state, 'audit-head'), other);
    assert.equal((await run('audit-verify')).exitCode, 1);
    assert.equal(readFileSync(join(state, 'audit-head'), 'utf8'), other);
  });

  it('fail after an e-mail that reached no merchant', async () => {
    const lines = join(folder, 'lines');
    program('journalctl', `cat ${lines}`);
    writeFileSync(lines, '{"msg":"service listening"}\n');
    assert.deepEqual(await run('notices'), { exitCode: 0, stderr: '' });
    writeFileSync(lines, '{"msg":"merchant not notified"}\n{"msg":"service listening"}\n');
    const told = await run('notices');
    assert.equal(told.exitCode, 1);
    assert.match(told.stderr, /1 e-mails reached no merchant/);
    writeFileSync(lines, '');
    assert.match((await run('notices')).stderr, /the journal cannot be read/);
  });

  it('rename the files of a whole fetch, and set those of a failed fetch aside', async () => {
    program('bank-fetch', 'echo torn > "$1/a.xml"; exit 3');
    const failed = await run('fetch-statements', bank());
    assert.match(failed.stderr, /bank-fetch ended with exit code 3/);
    assert.equal(failed.exitCode, 1);
    assert.deepEqual(inFolder('statements'), []);
    program('bank-fetch', 'echo whole > "$1/a.xml"; echo "with space" > "$1/b c.xml"');
    for (const count of [2, 4]) {
      assert.deepEqual(await run('fetch-statements', bank()), { exitCode: 0, stderr: '' });
      // A name that the service has not taken yet is not overwritten.
      assert.equal(inFolder('statements').length, count);
    }
    const texts = inFolder('statements').map((name) =>
      readFileSync(join(folder, 'statements', name), 'utf8'),
    );
    assert.deepEqual(new Set(texts), new Set(['whole\n', 'with space\n']));
    const aside = readdirSync(join(state, 'fetch')).map((name) => name.replace(/\d+/, 'N'));
    assert.deepEqual(aside, ['failed-N']);
  });

  it('hand a payment file over once, and stop at a file in doubt', async () => {
    const sent = join(folder, 'sent.log');
    const waits = (name: string) => writeFileSync(join(folder, 'refunds', name), '<Document/>');
    program('bank-send', `echo "\${1##*/}" >> ${sent}`);
    waits('PRS-1.xml');
    waits('PRS-2.xml');
    for (const _ of [1, 2]) assert.equal((await run('hand-over-refunds', bank())).exitCode, 0);
    assert.equal(readFileSync(sent, 'utf8'), 'PRS-1.xml\nPRS-2.xml\n');

    waits('PRS-3.xml');
    program('bank-send', 'exit 75');
    assert.equal((await run('hand-over-refunds', bank())).exitCode, 1);
    assert.deepEqual(inFolder('refunds'), ['PRS-3.xml']);
    program('bank-send', `echo "\${1##*/}" >> ${sent}; exit 1`);
    assert.equal((await run('hand-over-refunds', bank())).exitCode, 1);
    program('bank-send', `echo again >> ${sent}`);
    waits('PRS-4.xml');
    const doubtful = await run('hand-over-refunds', bank());
    assert.match(doubtful.stderr, /ask the bank whether it has .*PRS-3\.xml/);
    assert.equal(doubtful.exitCode, 1);
    assert.equal(readFileSync(sent, 'utf8'), 'PRS-1.xml\nPRS-2.xml\nPRS-3.xml\n');
  });

  it('refuse a folder of bank files that is missing', async () => {
    program('bank-fetch', `touch ${join(folder, 'ran')}`);
    const refused = await run('fetch-statements');
    assert.deepEqual(refused, {
      exitCode: 1,
      stderr: "fetch-statements: BANK_FILES_DIR is no folder: ''\n",
    });
    assert.equal(existsSync(join(folder, 'ran')), false);
  });

  it('send a mail about a unit that failed', async () => {
    program('journalctl', 'echo "doctor: the last line"');
    const { exitCode, stderr } = await run('mail payment-requests-job@doctor.service', {
      MAIL_URL: smtp.url,
      MAIL_FROM: 'service@pay.example',
      MAIL_TO: 'operators@pay.example',
    });
    assert.deepEqual([exitCode, stderr], [0, '']);
    const [mail] = smtp.mails;
    assert.deepEqual([mail?.from, mail?.to], ['service@pay.example', ['operators@pay.example']]);
    assert.match(mail?.data ?? '', /^Subject: payment-requests-job@doctor\.service failed on /m);
    assert.match(mail?.data ?? '', /doctor: the last line/);
  });
});
