import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { COMMAND_LINE } from '../../support/service/command-line.ts';
import { type Production, startProduction } from '../../support/service/production.ts';

/** A second's work: the bound is for a machine that is busy with other things. */
const PATIENCE_MS = 60_000;

describe('the process of payreq bank', () => {
  let folder: string;
  let production: Production;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bank-files-'));
    production = await startProduction({
      roles: ['api'],
      settings: {
        E_TRANSFER_NETWORK: 'bank-transfer',
        CURRENCY: 'EUR',
        BANK_FILES_DIR: folder,
        BANK_DEMO: 'yes',
      },
    });
  });
  after(async () => {
    await production?.stop();
    rmSync(folder, { recursive: true });
  });

  it('ends after its result is printed', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [COMMAND_LINE, 'bank', 'unmatched'],
      {
        env: { ...process.env, ...production.service.env },
        timeout: PATIENCE_MS,
      },
    );
    assert.equal(stdout, 'Every entry of the last 30 days is matched.\n');
  });
});
