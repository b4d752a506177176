import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { fileURLToPath } from 'node:url';
import { joinLines } from '#telemetry/log/join-lines.ts';

describe('joined lines', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'setImmediate'] }));
  afterEach(() => mock.timers.reset());

  function join() {
    const written: string[] = [];
    const sink = { write: (text: string) => written.push(text) };
    return { written, lines: joinLines(sink, { fewest: 10, longestDelayMs: 100 }) };
  }

  it('are one write in the turn after they are long enough', () => {
    const { written, lines } = join();
    lines.write('four\n');
    mock.timers.tick(0);
    assert.deepEqual(written, []);
    lines.write('five\n');
    lines.write('six\n');
    assert.deepEqual(written, []);
    mock.timers.tick(0);
    assert.deepEqual(written, ['four\nfive\nsix\n']);
  });

  it('go to a sink in the place of theirs at a flush that names one', () => {
    const { written, lines } = join();
    const last: string[] = [];
    lines.write('a\n');
    lines.flush({ write: (text) => last.push(text) });
    assert.deepEqual([written, last], [[], ['a\n']]);
  });

  it('wait no longer than the delay, counted from the first of them', () => {
    const { written, lines } = join();
    lines.write('a\n');
    mock.timers.tick(60);
    lines.write('b\n');
    mock.timers.tick(39);
    assert.deepEqual(written, []);
    mock.timers.tick(1);
    assert.deepEqual(written, ['a\nb\n']);
    lines.write('c\n');
    mock.timers.tick(99);
    assert.equal(written.length, 1);
    mock.timers.tick(1);
    assert.deepEqual(written, ['a\nb\n', 'c\n']);
  });

  it('are written once at a flush', () => {
    const { written, lines } = join();
    lines.write('a\n');
    lines.flush();
    lines.flush();
    mock.timers.tick(1_000);
    assert.deepEqual(written, ['a\n']);
  });
});

describe('the log of a process that exits', () => {
  const path = fileURLToPath(new URL('../../src/telemetry/log/log.ts', import.meta.url));
  const linesOf = (end: string) => {
    const program = `
      const { createLog } = await import(${JSON.stringify(path)});
      const log = createLog({ level: 'info' });
      for (let count = 1; count <= 500; count += 1) log.info({ count }, 'line');
      ${end}`;
    const args = ['--input-type=module', '--eval', program];
    const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    const counts = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).count);
    return { status, counts };
  };
  const all = Array.from({ length: 500 }, (_, index) => index + 1);

  for (const [how, end, status] of [
    ['at once', 'process.exit(3);', 3],
    ['by an error', 'throw new Error("ends");', 1],
    ['when nothing is left to do', '', 0],
  ] as const) {
    it(`has every line, in order: ${how}`, () => {
      assert.deepEqual(linesOf(end), { status, counts: all });
    });
  }
});
