import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createFolderWatch } from '#e-transfer/bank-transfer/files/watch-folder.ts';
import { putFile } from '../../support/bank/bank-production.ts';

const NOBODY = 65_534;
const NONE: readonly string[] = [];

describe('the watch of the folder of bank files', () => {
  let folder: string;
  let nowMs: number;
  let taken: string[];
  let refused: string[];
  let unreadable: number;
  let onTake: (text: string) => void;
  let look: () => Promise<boolean>;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'watched-'));
    [nowMs, taken, refused, unreadable] = [1_000, [], [], 0];
    onTake = () => {};
    look = createFolderWatch({
      folder,
      clock: { now: () => new Date(nowMs), steadyMs: () => nowMs },
      take: async (bytes) => {
        onTake(bytes.toString());
        taken.push(bytes.toString());
      },
      refuse: async (path, reason) => {
        refused.push(reason);
        rmSync(path);
      },
      onUnreadable() {
        unreadable += 1;
      },
    });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const names = () => readdirSync(folder).sort();

  it('takes a file at once that was renamed in, and removes it', async () => {
    await putFile(folder, Buffer.from('whole'));
    await look();
    assert.deepEqual([taken, names()], [['whole'], NONE]);
  });

  it('takes a file that grows only when its size was stable for 5 seconds', async () => {
    const path = join(folder, 'a.xml');
    writeFileSync(path, 'half');
    await look();
    nowMs += 4_000;
    appendFileSync(path, ' and more');
    await look();
    nowMs += 4_999;
    await look();
    assert.deepEqual([taken, names()], [NONE, ['a.xml']]);
    nowMs += 1;
    await look();
    assert.deepEqual([taken, names()], [['half and more'], NONE]);
  });

  it('takes a file again that changes while it is taken', async () => {
    await putFile(folder, Buffer.from('first'));
    onTake = () => {
      onTake = () => {};
      appendFileSync(join(folder, names()[0] ?? ''), ' and last');
    };
    await look();
    await look();
    assert.deepEqual([taken, names()], [['first', 'first and last'], NONE]);
  });

  it('takes no link, no pipe, no folder and no hidden file', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'elsewhere-'));
    try {
      await putFile(elsewhere, Buffer.from('secret'), 'target');
      symlinkSync(join(elsewhere, 'target'), join(folder, 'link.xml'));
      execFileSync('mkfifo', [join(folder, 'pipe.xml')]);
      mkdirSync(join(folder, 'folder.xml'));
      await putFile(folder, Buffer.from('hidden'), '.hidden.xml');
      const link = `.payreq-${crypto.randomUUID()}`;
      symlinkSync(join(elsewhere, 'target'), join(folder, link));
      for (const _ of [1, 2]) {
        await look();
        nowMs += 60_000;
      }
      assert.deepEqual(taken, NONE);
      const all = ['.hidden.xml', link, 'folder.xml', 'link.xml', 'pipe.xml'];
      assert.deepEqual(names(), all);
    } finally {
      rmSync(elsewhere, { recursive: true });
    }
  });

  it('tells once of a file without the right to read it, and takes all others', async () => {
    await putFile(folder, Buffer.from('closed'), 'a.xml');
    await putFile(folder, Buffer.from('open'), 'b.xml');
    chmodSync(join(folder, 'a.xml'), 0o000);
    chmodSync(folder, 0o777);
    chmodSync(join(folder, 'b.xml'), 0o644);
    // The superuser reads every file.
    const isSuperuser = process.geteuid?.() === 0;
    if (isSuperuser) process.seteuid?.(NOBODY);
    try {
      await look();
      await look();
    } finally {
      if (isSuperuser) process.seteuid?.(0);
    }
    assert.deepEqual([taken, names(), unreadable], [['open'], ['a.xml'], 1]);
    chmodSync(join(folder, 'a.xml'), 0o644);
    await look();
    assert.deepEqual([taken, names(), unreadable], [['open', 'closed'], NONE, 1]);
  });

  it('refuses a file above 25 MB once, and takes all others', async () => {
    await putFile(folder, Buffer.from('large'), 'a.xml');
    truncateSync(join(folder, 'a.xml'), 25 * 1024 * 1024 + 1);
    await putFile(folder, Buffer.from('small'), 'b.xml');
    await look();
    nowMs += 5_000;
    await look();
    await look();
    assert.deepEqual([taken, refused, names()], [['small'], ['The file is above 25 MB.'], NONE]);
  });

  it('fails at the end of a look, so that a file that fails holds up no other', async () => {
    await putFile(folder, Buffer.from('bad'), 'a.xml');
    await putFile(folder, Buffer.from('good'), 'b.xml');
    onTake = (text) => {
      if (text === 'bad') throw new Error('the database is gone');
    };
    await assert.rejects(look(), /the database is gone/);
    assert.deepEqual(taken, ['good']);
    onTake = () => {};
    await look();
    assert.deepEqual([taken, names()], [['good', 'bad'], NONE]);
  });
});
