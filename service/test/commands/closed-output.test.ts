import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { COMMAND_LINE } from '../support/service/command-line.ts';
import { compileCache } from '../support/service/compile-cache.ts';
import { settingsOf } from '../support/service/service.ts';

/** Sixteen pages of the export; a pipe holds 64 KiB. */
const ENTRIES = 5_000;
/** A command that hangs ends by this bound. */
const LONGEST_RUN_MS = 120_000;

describe('payreq, whose reader has gone', () => {
  let database: TestDatabase;
  let settings: Record<string, string>;
  const folder = mkdtempSync(join(tmpdir(), 'closed-output-'));
  before(async () => {
    database = await createTestDatabase('sandbox');
    settings = settingsOf('sandbox', database.url);
    await database.sql(
      `INSERT INTO audit_log (actor, action) SELECT 'api', 'TEST ' || n
       FROM generate_series(1, ${ENTRIES}) n`,
    );
  });
  after(async () => {
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  /** The reader is gone before the command prints. */
  async function runWithoutReader(args: readonly string[], env = settings) {
    const child = spawn(process.execPath, ['--', COMMAND_LINE, ...args], {
      env: { ...compileCache, ...env },
      timeout: LONGEST_RUN_MS,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const stderr = await text(child.stderr);
    return { exitCode: await ended, stderr };
  }

  const access = ['--api-url', 'http://127.0.0.1:1/v1', '--auth-url', 'http://127.0.0.1:1/token'];
  const secrets = { PAYREQ_USERNAME: 'u', PAYREQ_PASSWORD: 'p', PAYREQ_API_KEY: 'k' };
  const rows: readonly (readonly [args: readonly string[], env?: Record<string, string>])[] = [
    [['--help']],
    [['bank', 'reconcile', '--help']],
    [['config']],
    [['merchant', 'list', '--json']],
    [['audit', 'export']],
    [['listen', '--forward-to', 'http://127.0.0.1:1/', '--local-dir', folder, ...access], secrets],
  ];
  for (const [args, env] of rows) {
    it(`ends without a word and with 0: ${args.slice(0, 3).join(' ')}`, async () => {
      assert.deepEqual(await runWithoutReader(args, env ?? settings), { exitCode: 0, stderr: '' });
    });
  }

  it('keeps the exit code of a command that found a fault', async () => {
    const env = { ...settings, DATABASE_URL: 'postgres://u:p@127.0.0.1:1/none' };
    assert.deepEqual(await runWithoutReader(['doctor', '--json'], env), {
      exitCode: 1,
      stderr: '',
    });
  });
});
