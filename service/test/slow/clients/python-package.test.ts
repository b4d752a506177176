import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PYTHON, whyNoPython } from '../../support/clients/python.ts';
import { ensurePackages, unpackPackages } from '../../support/debian-packages.ts';

const run = promisify(execFile);
const CLIENT = fileURLToPath(new URL('../../../../clients/python/', import.meta.url));
const MYPY = ['mypy', 'python3-mypy', 'python3-mypy-extensions', 'python3-typing-extensions'];
const BUILDERS = ['pip', 'setuptools', 'wheel'] as const;
/** A program that reads a wheel, as an installer does, and prints its files. */
const LIST = 'import sys, zipfile; print(*zipfile.ZipFile(sys.argv[1]).namelist(), sep="\\n")';
const VERSION = 'import payment_requests as p; print(p.VERSION, p.Client.create_refund.__name__)';

describe('the package of the client in Python', () => {
  let folder: string;
  before(async () => {
    assert.equal(await whyNoPython(), false);
    folder = mkdtempSync(join(tmpdir(), 'python-package-'));
    cpSync(CLIENT, join(folder, 'source'), { recursive: true });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is typed strictly, with its tests', async () => {
    const root = await unpackPackages([...MYPY, 'python3-typeshed'], folder);
    const env = { ...process.env, PYTHONPATH: join(root, 'usr/lib/python3/dist-packages') };
    const cache = `--cache-dir=${join(folder, 'cache')}`;
    const args = ['-m', 'mypy', cache, 'src/payment_requests', 'tests'];
    const { stdout } = await run(PYTHON, args, { cwd: join(folder, 'source'), env });
    assert.match(stdout, /^Success: no issues found in \d\d source files/);
  });

  it('is a wheel with its types, and without its tests, that can be imported', async () => {
    const modules = '/usr/lib/python3/dist-packages';
    await ensurePackages(
      Object.fromEntries(BUILDERS.map((name) => [`python3-${name}`, `${modules}/${name}`])),
    );
    const offline = ['--no-build-isolation', '--no-deps', '--no-index', '-w', join(folder, 'out')];
    const source = join(folder, 'source');
    await run(PYTHON, ['-m', 'pip', 'wheel', '-q', ...offline, source]);
    const [wheel = '', ...others] = readdirSync(join(folder, 'out'));
    assert.deepEqual(others, []);
    assert.match(wheel, /^payment_requests-\d+\.\d+\.\d+(?:rc\d+)?-py3-none-any\.whl$/);
    const path = join(folder, 'out', wheel);
    const files = (await run(PYTHON, ['-c', LIST, path])).stdout.split('\n');
    const own = readdirSync(join(CLIENT, 'src', 'payment_requests')).filter((name) =>
      /\.py$|^py\.typed$/.test(name),
    );
    for (const name of own) assert.ok(files.includes(`payment_requests/${name}`), name);
    assert.ok(!files.some((name) => name.includes('test_')), `${files}`);
    const env = { ...process.env, PYTHONPATH: path };
    const { stdout } = await run(PYTHON, ['-c', VERSION], { cwd: folder, env });
    assert.equal(stdout.trim(), `${wheel.split('-')[1]} create_refund`);
  });
});
