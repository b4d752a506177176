import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { PassThrough } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { confirm } from '../../src/commands/cli/confirm.ts';
import { operatorOption } from '../../src/commands/cli/operator-name.ts';
import { paymentRequestCalls } from '../support/payment-requests/payment-requests.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';
import { runCli } from './run-cli.ts';

describe('a command that cannot be undone', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let id: string;
  before(async () => {
    service = await startTestService({ roles: ['api'] });
    merchant = await service.createMerchant();
    const calls = paymentRequestCalls(service, merchant);
    id = (await calls.create()).json.id;
    await calls.cancel(id);
  });
  after(() => service.stop());

  const run = (...args: string[]) => runCli(args, service.env);
  const all = () => ['credentials', 'revoke', '--merchant', merchant.merchantId, '--all'];
  const erase = () => [
    'payer',
    'erase',
    '--merchant',
    merchant.merchantId,
    '--payment-request',
    id,
  ];

  it('is refused without a terminal, unless --yes is given', async () => {
    for (const command of [all(), erase(), ['keys', 'remove', 'some-key']]) {
      const { exitCode, stderr, stdout } = await run(...command);
      assert.deepEqual([exitCode, stdout], [2, ''], command.join(' '));
      assert.match(stderr, /^error: this cannot be undone: give --yes to do it, or --dry-run/);
    }
  });

  it('says with --dry-run what it would do, and does nothing', async () => {
    const count = async () =>
      (await service.database.sql('SELECT count(*)::int AS entries FROM audit_log'))[0];
    assert.equal((await run('keys', 'rotate', '--now')).exitCode, 0);
    // Each command adds its own run time to the stopped clock of the test.
    await service.advance(60);
    const { keys } = (await run('keys', 'list', '--json')).json();
    const { keyId: spare } = keys.find(({ state }: { state: string }) => state !== 'SIGNING');
    const before = await count();

    const revoked = (await run(...all(), '--dry-run', '--json')).json();
    assert.deepEqual(revoked.usernames, [merchant.username]);
    assert.equal(revoked.apiKeyIds.length, 1);
    assert.match((await run(...all(), '--dry-run')).stdout, /would be revoked\./);
    const erased = await run(...erase(), '--dry-run');
    assert.match(erased.stdout, /^Would erase the payer of 1 payment request, with 1 webhook /);
    const removed = await run('keys', 'remove', spare, '--dry-run');
    assert.match(
      removed.stdout + removed.stderr,
      new RegExp(`^Would remove key ${spare} \\([A-Z]+\\)`),
    );
    const unknown = await run('keys', 'remove', 'none', '--dry-run');
    assert.match(unknown.stderr, /no signing key "none"/);

    assert.deepEqual(await count(), before);
    const { json } = await paymentRequestCalls(service, merchant).read(id);
    assert.equal(json.payer.name, 'Ada Payer');
  });

  it('does it with --yes, and the audit log names the operator', async () => {
    const actorOf = async (action: string) =>
      (await service.database.sql('SELECT actor FROM audit_log WHERE action = $1', [action]))[0];
    const account = userInfo().username;
    const erased = await run('--operator', 'Ada Lovelace', ...erase(), '--yes');
    assert.equal(erased.exitCode, 0, erased.stderr);
    const ada = { actor: `payreq (Ada Lovelace, as ${account})` };
    assert.deepEqual(await actorOf('PAYER_ERASED'), ada);
    const sudo = await runCli([...all(), '--yes'], { ...service.env, SUDO_USER: 'grace' });
    assert.equal(sudo.exitCode, 0, sudo.stderr);
    const grace = { actor: `payreq (grace, as ${account})` };
    assert.deepEqual(await actorOf('CREDENTIALS_REVOKED'), grace);
  });

  it('refuses an operator’s name that could be taken for something else', async () => {
    for (const name of ['', ' ', 'a'.repeat(65), 'ada\nroot', 'ada)', '"']) {
      const parse = () => operatorOption().parseArg?.(name, undefined);
      assert.throws(parse, /Give 1 to 64 letters/, name);
    }
    const { exitCode, stderr } = await run('--operator', 'ada)', 'keys', 'list');
    assert.equal(exitCode, 2);
    assert.match(stderr, /--operator/);
  });

  it('asks on a terminal, and goes on for y and yes only', async () => {
    const ask = async (answer: string | null) => {
      const stdin = Object.assign(new PassThrough(), { isTTY: true });
      const stderr = Object.assign(new PassThrough(), { isTTY: true });
      if (answer === null) stdin.end();
      else stdin.write(answer);
      await confirm({ stdin, stderr }, {}, 'Erase 3?');
      return String(stderr.read());
    };
    assert.match(await ask('y\n'), /Erase 3\? \[y\/N\] /);
    await ask('YES\n');
    for (const answer of ['n\n', '\n', 'yesterday\n', null]) {
      await assert.rejects(ask(answer), /Nothing was changed/, String(answer));
    }
  });
});
