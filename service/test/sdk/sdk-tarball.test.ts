import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { packSdk, runCommand } from '../../../sdk/test/packed-sdk.ts';
import { startTestService, type TestService } from '../support/service/service.ts';

let service: TestService;
let folder: string;

before(async () => {
  service = await startTestService();
  folder = mkdtempSync(join(tmpdir(), 'sdk-tarball-'));
});
after(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const load = (path: string, init: RequestInit = {}) => fetch(service.url + path, init);

/** The files of a tarball by path, unpacked by the system's tar. */
async function unpack(tarball: Uint8Array): Promise<Record<string, string>> {
  const place = mkdtempSync(join(folder, 'unpacked-'));
  writeFileSync(join(place, 'sdk.tgz'), tarball);
  await runCommand('tar', ['-xzf', 'sdk.tgz'], place);
  const entries = readdirSync(place, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'sdk.tgz');
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    paths.sort().map((path) => [path.slice(place.length), readFileSync(path, 'utf8')]),
  );
}

describe('GET /sdk.tgz', () => {
  it('answers the files that npm pack makes of the SDK', async () => {
    const answer = await load('/sdk.tgz');
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/gzip');
    assert.equal(
      answer.headers.get('content-disposition'),
      'attachment; filename="payment-requests-sdk-1.0.0-rc.1.tgz"',
    );
    const served = await unpack(new Uint8Array(await answer.arrayBuffer()));
    const packed = await packSdk();
    try {
      const wanted = await unpack(readFileSync(packed.tarball));
      assert.ok(Object.keys(wanted).length > 40);
      assert.deepEqual(served, wanted);
    } finally {
      await packed.remove();
    }
  });

  it('answers equal bytes in every process, so that a lock file stays valid', async () => {
    const other = await startTestService();
    try {
      const answers = await Promise.all([load('/sdk.tgz'), fetch(`${other.url}/sdk.tgz`)]);
      const [one, two] = await Promise.all(answers.map((each) => each.arrayBuffer()));
      const hashes = [one, two].map((bytes) =>
        createHash('sha256')
          .update(new Uint8Array(bytes ?? new ArrayBuffer(0)))
          .digest('hex'),
      );
      assert.equal(hashes[0], hashes[1]);
      // A compressor would give other bytes in another version or on another processor.
      const stored = new Uint8Array(one ?? new ArrayBuffer(0));
      assert.ok(gunzipSync(stored).length < stored.length);
    } finally {
      await other.stop();
    }
  });

  it('answers 304 for its entity tag, and headers alone to HEAD', async () => {
    const first = await load('/sdk.tgz');
    const etag = first.headers.get('etag') ?? '';
    assert.match(etag, /^"[\w-]{43}"$/);
    assert.equal(first.headers.get('cache-control'), 'public, max-age=300');
    const again = await load('/sdk.tgz', { headers: { 'if-none-match': etag } });
    assert.deepEqual([again.status, await again.text()], [304, '']);
    const head = await load('/sdk.tgz', { method: 'HEAD' });
    assert.equal(head.headers.get('content-length'), first.headers.get('content-length'));
  });

  it('answers at the name with its version, and at no other name', async () => {
    const named = await load('/sdk/payment-requests-sdk-1.0.0-rc.1.tgz');
    assert.equal(named.status, 200);
    assert.equal(named.headers.get('etag'), (await load('/sdk.tgz')).headers.get('etag'));
    for (const name of [
      'payment-requests-sdk-0.0.9.tgz',
      '..%2fpackage.json',
      '%2e%2e/%2e%2e/package.json',
      'package.json',
      '',
    ]) {
      const answer = await load(`/sdk/${name}`);
      assert.equal(answer.status, 404, name);
      assert.ok(!(await answer.text()).includes('devDependencies'), name);
    }
  });

  it('is installed by npm, and then loads by import and by require', async () => {
    const project = mkdtempSync(join(tmpdir(), 'sdk-project-'));
    try {
      writeFileSync(join(project, 'package.json'), '{"name":"shop","private":true}');
      const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--cache', join(project, 'c')];
      await runCommand('npm', ['install', ...quiet, `${service.url}/sdk.tgz`], project);
      writeFileSync(join(project, 'one.mjs'), ESM);
      writeFileSync(join(project, 'two.cjs'), COMMON_JS);
      for (const file of ['one.mjs', 'two.cjs']) {
        const { stdout, stderr } = await runCommand(process.execPath, [file], project);
        assert.deepEqual([stdout.trim(), stderr], ['2550 true function', ''], file);
      }
      // The lock file holds the hash of the bytes.
      rmSync(join(project, 'node_modules'), { recursive: true });
      await runCommand('npm', ['ci', ...quiet], project);
      assert.ok(existsSync(join(project, 'node_modules/@payment-requests/sdk/package.json')));
    } finally {
      rmSync(project, { recursive: true, force: true });
    }
  });
});

/** Each module system loads its own build, and instanceof holds between them. */
const ESM = `
import { createRequire } from 'node:module';
import { amountToCents, PaymentRequestsError } from '@payment-requests/sdk';
import { openCheckout } from '@payment-requests/sdk/checkout';
const required = createRequire(import.meta.url)('@payment-requests/sdk');
const error = new required.NoAnswerError('TIMEOUT', 'Late.');
console.log(amountToCents('25.50'), error instanceof PaymentRequestsError, typeof openCheckout);
`;
const COMMON_JS = `
const { amountToCents, InvalidArgumentError } = require('@payment-requests/sdk');
const { openCheckout } = require('@payment-requests/sdk/checkout');
let isRefused = false;
try {
  amountToCents('1.005');
} catch (error) {
  isRefused = error instanceof InvalidArgumentError;
}
console.log(amountToCents('25.50'), isRefused, typeof openCheckout);
`;
