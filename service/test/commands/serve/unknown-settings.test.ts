import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { unknownSettings } from '../../../src/config.ts';
import { settingsOf } from '../../support/service/service.ts';
import { runCli } from '../run-cli.ts';

const ENV = settingsOf('sandbox', 'postgres://user:secret@localhost/payments');
const folder = mkdtempSync(join(tmpdir(), 'unknown-settings-'));
after(() => rmSync(folder, { recursive: true }));

const NEAR: readonly (readonly [string, string | null])[] = [
  ['RATE_LIMIT_WRITE', 'RATE_LIMIT_WRITES'],
  ['DATABASE_ULR', 'DATABASE_URL'],
  ['TRUSTED_PROXY', null],
  ['WEBHOOK_TIMEOUT', null],
  ['OPS_TOKEN_FIL', 'OPS_TOKEN_FILE'],
  ['log_level', 'LOG_LEVEL'],
  ['RATE_LIMIT_BURST', null],
];
const FOREIGN = [
  'PATH',
  'HOME',
  'HOSTNAME',
  'HOSTS',
  'PORTS',
  'NODE_ENV',
  'DATABASE_NAME',
  'DATABASE_SERVICE_HOST',
  'MAX_MEMORY',
  'LOG_FORMAT',
  'AWS_SECRET_ACCESS_KEY',
  'TEST_DATABASE_URL',
];

/** systemd.exec(5), "Environment Variables Set or Propagated by the Service Manager". */
const OF_SYSTEMD = [
  ...['PATH', 'LANG', 'USER', 'LOGNAME', 'HOME', 'SHELL', 'INVOCATION_ID', 'XDG_RUNTIME_DIR'],
  ...['RUNTIME_DIRECTORY', 'STATE_DIRECTORY', 'CACHE_DIRECTORY', 'LOGS_DIRECTORY'],
  ...['CONFIGURATION_DIRECTORY', 'CREDENTIALS_DIRECTORY', 'MAINPID', 'MAINPIDFDID', 'MANAGERPID'],
  ...['MANAGERPIDFDID', 'LISTEN_FDS', 'LISTEN_PID', 'LISTEN_PIDFDID', 'LISTEN_FDNAMES'],
  ...['NOTIFY_SOCKET', 'WATCHDOG_PID', 'WATCHDOG_USEC', 'FDSTORE', 'SYSTEMD_EXEC_PID', 'TERM'],
  ...['COLORTERM', 'NO_COLOR', 'LOG_NAMESPACE', 'JOURNAL_STREAM', 'SERVICE_RESULT', 'EXIT_CODE'],
  ...['EXIT_STATUS', 'MONITOR_SERVICE_RESULT', 'MONITOR_EXIT_CODE', 'MONITOR_EXIT_STATUS'],
  ...['MONITOR_INVOCATION_ID', 'MONITOR_UNIT', 'PIDFILE', 'REMOTE_ADDR', 'REMOTE_PORT'],
  ...['TRIGGER_UNIT', 'TRIGGER_PATH', 'TRIGGER_TIMER_REALTIME_USEC', 'MEMORY_PRESSURE_WATCH'],
  ...['TRIGGER_TIMER_MONOTONIC_USEC', 'MEMORY_PRESSURE_WRITE', 'DEBUG_INVOCATION'],
];

describe('an unknown setting', () => {
  for (const [name, suggestion] of NEAR) {
    it(`is found in the environment: ${name}`, () => {
      assert.deepEqual(unknownSettings({ ...ENV, [name]: '5' }), [{ name, suggestion }]);
    });
  }

  it('is no variable of another program', () => {
    const others = Object.fromEntries([...FOREIGN, ...OF_SYSTEMD].map((name) => [name, 'x']));
    assert.deepEqual(unknownSettings({ ...ENV, ...others, SECRETS_KEY_FILE: 'x' }), []);
  });

  it('is printed by payreq config, without its value', async () => {
    const env = { ...ENV, RATE_LIMIT_WRITE: 'hidden-value' };
    const ran = await runCli(['config'], env);
    assert.equal(ran.exitCode, 0);
    assert.match(ran.stdout, /RATE_LIMIT_WRITE is no setting: did you mean RATE_LIMIT_WRITES\?/);
    assert.doesNotMatch(ran.stdout, /hidden-value/);
    const { unknown } = (await runCli(['config', '--json'], env)).json();
    assert.deepEqual(unknown, [{ name: 'RATE_LIMIT_WRITE', suggestion: 'RATE_LIMIT_WRITES' }]);
  });

  it('is a fault in a settings file, which is of this service alone', async () => {
    const path = join(folder, 'settings.env');
    const lines = Object.entries({ ...ENV, TZ: 'UTC', COLOUR: 'red', RATE_LIMIT_WRITE: '5' });
    writeFileSync(path, lines.map(([name, value]) => `${name}='${value}'`).join('\n'));
    const ran = await runCli(['--env-file', path, 'config']);
    assert.equal(ran.exitCode, 78);
    assert.match(ran.stderr, /- COLOUR is no setting \(in .*settings\.env\)\./);
    assert.match(ran.stderr, /RATE_LIMIT_WRITE is no setting: did you mean RATE_LIMIT_WRITES\?/);
    assert.doesNotMatch(ran.stderr, /TZ/);
  });

  it('is no file of a secret', async () => {
    const { SECRETS_KEY, ...rest } = ENV;
    const keyFile = join(folder, 'key');
    writeFileSync(keyFile, `${SECRETS_KEY}\n`);
    const path = join(folder, 'with-file.env');
    const all = Object.entries({ ...rest, SECRETS_KEY_FILE: keyFile });
    writeFileSync(path, all.map(([name, value]) => `${name}='${value}'`).join('\n'));
    const ran = await runCli(['--env-file', path, 'config']);
    assert.equal(ran.exitCode, 0, ran.stderr);
    assert.ok(ran.stdout.includes(`SECRETS_KEY=********   (from ${keyFile})`));
    const key = randomBytes(32).toString('base64');
    const both = await runCli(['--env-file', path, 'config'], { SECRETS_KEY: key });
    assert.equal(both.exitCode, 78);
    assert.match(both.stderr, /SECRETS_KEY and SECRETS_KEY_FILE are both set: keep one of them/);
  });
});
