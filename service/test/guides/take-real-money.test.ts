import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runCli } from '../commands/run-cli.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { snippetNamed } from '../support/documents/guide-snippets.ts';
import { settingsOf } from '../support/service/service.ts';

/** The root of the guide's paths; the guide's user and group are the machine's own. */
const GUIDE_ROOT = '/var/lib/payreq';

describe('the guide to take real money', () => {
  let folder: string;
  let database: TestDatabase;
  let env: Record<string, string>;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'take-real-money-'));
    const here = (text: string) => text.replaceAll(GUIDE_ROOT, folder);
    const install = here(snippetNamed('bank-folders.sh')).replaceAll(/ -o \S+ -g \S+/g, '');
    execFileSync('sh', ['-ec', install]);
    const settings = here(snippetNamed('bank-settings.env')).trim().split('\n');
    database = await createTestDatabase('production', new Date('2026-03-01T12:00:00.000Z'));
    env = {
      ...settingsOf('production', database.url),
      ...Object.fromEntries(settings.map((line) => line.split('=') as [string, string])),
    };
  });
  after(async () => {
    await database?.drop();
    rmSync(folder, { recursive: true });
  });

  /** Runs a block's command as its words say; a word in quotes is one. */
  function run(
    name: string,
    placeholders: Readonly<Record<string, string>> = {},
    settings: Readonly<Record<string, string>> = env,
  ) {
    const words =
      snippetNamed(name)
        .trim()
        .match(/"[^"]*"|\S+/g) ?? [];
    const args = words.slice(1).map((word) => word.replaceAll('"', ''));
    const filled = args.map((word) => placeholders[word] ?? word.replace(GUIDE_ROOT, folder));
    return runCli(filled, settings);
  }

  it('has settings, folders and commands that work as they are', async () => {
    const made = await runCli(['merchant', 'create', '--name', 'Harbour Books', '--json'], env);
    assert.equal(made.exitCode, 0, made.stderr);
    const account = await run('set-account.sh', { MERCHANT: made.json().merchantId });
    assert.equal(account.exitCode, 0, account.stderr);
    const canadian = await runCli(['merchant', 'create', '--name', 'Harbour', '--json'], env);
    const inCad = { ...env, CURRENCY: 'CAD' };
    const inCanada = { MERCHANT: canadian.json().merchantId };
    const other = await run('set-canadian-account.sh', inCanada, inCad);
    assert.equal(other.exitCode, 0, other.stderr);
    const refunds = await run('bank-refunds.sh');
    assert.equal(refunds.exitCode, 0, refunds.stderr);
  });

  it('pays a trial only in a database that is marked as a demo', async () => {
    assert.equal(snippetNamed('bank-demo.sh'), 'BANK_DEMO=1 npm start\n');
    const paid = await run('demo-pay.sh', { LINK: 'https://pay.example/pay/abc' });
    assert.equal(paid.exitCode, 1);
    assert.match(paid.stderr, /demo/i);
  });

  it('connects to a bank with the key and the settings that it makes', async () => {
    const here = (text: string) => text.replaceAll('/etc/payreq', folder);
    execFileSync('sh', ['-ec', here(snippetNamed('bank-key.sh'))], { stdio: 'ignore' });
    const lines = here(snippetNamed('bank-sftp.env')).trim().split('\n');
    const connected = Object.fromEntries(lines.map((line) => line.split(/=(.*)/).slice(0, 2)));
    const ask = (name: string, url: string) =>
      runCli(snippetNamed(name).trim().split('\n').at(-1)?.split(' ').slice(1) ?? [], {
        ...env,
        ...connected,
        BANK_SFTP_URL: url,
      });
    // A port of this machine on which nothing listens.
    const checked = await ask('bank-check.sh', 'sftp://HARBOUR01@127.0.0.1:9');
    assert.match(checked.stdout, /shows no key\.\nfailed +connect to .*\n.*cannot be reached/);
    const released = await ask('bank-release.sh', 'sftp://HARBOUR01@127.0.0.1:9');
    assert.match(released.stderr, /--yes/);
  });
});
