import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { packSdk } from '#api-reference/sdk/pack-sdk.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { buyToken, callAt, settingsOf } from '../../support/service/service.ts';
import { spawnService } from '../../support/service/spawned-service.ts';
import {
  copyForRelease,
  type ReleaseCopy,
  readJson,
  runIn,
  TARBALL,
  VERSION,
} from './release-copy.ts';

/** The promise of the release, on a disk with blocks of 4 KiB. */
const MOST_INSTALLED_BYTES = 60e6;
const BLOCK_BYTES = 4096;
/** An installation may ask no registry. */
const OFFLINE = ['--offline', '--no-audit', '--no-fund'];
/** The simulator pays after ten seconds. */
const WAITED_SECONDS = 20;

let copy: ReleaseCopy;
let folder: string;
/** The files that npm run release has made. */
let made: string;
let payreq: string;
/** The installed package. */
let installed: string;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-install-'));
  copy = copyForRelease();
  made = join(copy.folder, 'release');
});
after(() => {
  copy.remove();
  rmSync(folder, { recursive: true, force: true });
});

const release = () => copy.run('npm', '--silent', 'run', 'release');

describe('npm run release', () => {
  it('refuses a version without a section in CHANGELOG.md', () => {
    const { exitCode, output } = release();
    assert.equal(exitCode, 1);
    assert.ok(output.includes(`CHANGELOG.md has no section "## ${VERSION}"`), output);
    copy.describeVersion();
  });

  it('refuses packages whose addresses are placeholders', () => {
    const { exitCode, output } = release();
    assert.equal(exitCode, 1);
    assert.match(output, /publisher\.json has a placeholder in repository/);
    copy.namePublisher();
  });

  it('refuses files outside the commit, and names them', () => {
    writeFileSync(join(copy.folder, 'service', 'src', 'extra.ts'), '');
    const { exitCode, output } = release();
    rmSync(join(copy.folder, 'service', 'src', 'extra.ts'));
    assert.equal(exitCode, 1);
    assert.match(output, /these files differ from it: service\/src\/extra\.ts\. Commit/);
  });

  it('refuses tags that contradict the version', () => {
    copy.run('git', 'tag', 'v9.9.9');
    const wrong = release();
    copy.run('git', 'tag', '-d', 'v9.9.9');
    assert.deepEqual([wrong.exitCode, /has the tag v9\.9\.9/.test(wrong.output)], [1, true]);
    copy.run('git', 'tag', `v${VERSION}`, 'HEAD~1');
    const released = release();
    copy.run('git', 'tag', '-d', `v${VERSION}`);
    assert.equal(released.exitCode, 1);
    assert.match(released.output, /is at another commit: that version is released/);
  });

  it('makes the tarball, the parts, the changes and their checksums', () => {
    const { exitCode, output } = release();
    assert.equal(exitCode, 0, output);
    assert.match(output, /The release is UNSIGNED: name a key by --sign FILE/);
    const names = [
      TARBALL,
      `CHANGES-${VERSION}.md`,
      `payment-requests-${VERSION}.cdx.json`,
      `payment-requests-sandbox-${VERSION}.tgz`,
    ];
    assert.deepEqual(readdirSync(made).sort(), [...names, 'SHA256SUMS'].sort());
    const sums = names.sort().map((name) => `${hashOf(join(made, name))}  ${name}\n`);
    assert.equal(readFileSync(join(made, 'SHA256SUMS'), 'utf8'), sums.join(''));
    const changes = readFileSync(join(made, `CHANGES-${VERSION}.md`), 'utf8');
    assert.equal(changes, `## ${VERSION}\n\n- First.\n`);
  });

  it('leaves the checkout as it was', () => {
    assert.equal(copy.run('git', 'status', '--porcelain').output, '');
  });

  it('makes the same tarball of the same commit', () => {
    const first = hashOf(join(made, TARBALL));
    const { exitCode, output } = copy.run('npm', '--silent', 'pack');
    assert.equal(exitCode, 0, output);
    assert.equal(hashOf(join(copy.folder, TARBALL)), first);
    rmSync(join(copy.folder, TARBALL));
  });
});

describe('the installed release', () => {
  before(() => {
    const prefix = join(folder, 'prefix');
    const tarball = join(made, TARBALL);
    const { exitCode, output } = runIn(
      folder,
      ...(['npm', 'install', '--global', `--prefix=${prefix}`, ...OFFLINE, tarball] as const),
    );
    assert.equal(exitCode, 0, output);
    payreq = join(prefix, 'bin', 'payreq');
    installed = join(prefix, 'lib', 'node_modules', 'payment-requests');
  });

  it('takes less than 60 MB', (t) => {
    // A file system allocates late: `blocks` of a new file may be too few.
    const bytes = filesBelow(join(folder, 'prefix')).reduce(
      (sum, path) => sum + Math.ceil(lstatSync(path).size / BLOCK_BYTES) * BLOCK_BYTES,
      0,
    );
    t.diagnostic(`${(bytes / 1e6).toFixed(1)} MB of ${MOST_INSTALLED_BYTES / 1e6} MB`);
    assert.ok(bytes < MOST_INSTALLED_BYTES, `${bytes}`);
  });

  it('holds the service, the files to run it, and the pages for operators', () => {
    const names = [
      'ARCHITECTURE.md',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'bench',
      'deploy',
      'dist',
      'docs',
      'package.json',
      'sdk',
    ];
    assert.deepEqual(readdirSync(installed).sort(), names);
    assert.deepEqual(readdirSync(join(installed, 'bench')), ['README.md']);
    assert.deepEqual(readdirSync(join(installed, 'sdk')), ['README.md']);
    assert.deepEqual(
      filesBelow(join(installed, 'docs')).length,
      filesBelow(join(copy.folder, 'docs')).length,
    );
  });

  it('has the versions of the lock file, and nothing for developers', () => {
    const { packages: locked } = readJson(join(copy.folder, 'package-lock.json'));
    const dist = join(installed, 'dist');
    const manifests = filesBelow(join(dist, 'node_modules'))
      .map((path) => path.slice(dist.length + 1))
      .filter((path) => /node_modules\/(@[^/]+\/)?[^/@]+\/package\.json$/.test(path))
      .map((path) => path.slice(0, -'/package.json'.length))
      .filter((path) => path !== 'node_modules/@payment-requests/sdk');
    assert.ok(manifests.length > 100, `${manifests.length}`);
    for (const path of manifests) {
      const { version } = readJson(join(dist, path, 'package.json'));
      // A tool of development may take the name at the root: npm nests the service's own version.
      const entry = locked[`service/${path}`] ?? locked[path];
      assert.equal(version, entry?.version, path);
      assert.ok(!entry.dev && !entry.optional, path);
    }
    const { components } = readJson(join(made, `payment-requests-${VERSION}.cdx.json`));
    const named = components.map((part: { name: string }) => part.name);
    const parts = manifests.map((path) => path.replace(/^.*node_modules\//, ''));
    assert.deepEqual(new Set(named), new Set([...parts, '@payment-requests/sdk']));
    assert.deepEqual(
      filesBelow(dist).filter(
        (path) => /\.([cm]?ts|map)$/.test(path) && !/sdk\/dist|service\/bundle/.test(path),
      ),
      [],
    );
  });

  it('leads from its joined modules to the lines of the source', () => {
    const bundle = join(installed, 'dist', 'service', 'bundle');
    let compared = 0;
    for (const name of readdirSync(bundle).filter((each) => each.endsWith('.js'))) {
      const text = readFileSync(join(bundle, name), 'utf8');
      // The bundler names each module; a package of the checkout would have another version.
      assert.doesNotMatch(text, /^\/\/ \.\.\//m, name);
      // A file with packages alone has no map.
      if (!text.includes('\n//# sourceMappingURL=')) continue;
      const map = new SourceMap(readJson(join(bundle, `${name}.map`)));
      for (const [index, line] of text.split('\n').entries()) {
        const [, declared] = /^(?:async )?(function\*? [A-Za-z]+)/.exec(line) ?? [];
        const entry = map.findEntry(index, 0);
        // Modules of packages have no lines in the map.
        if (!declared || !('originalSource' in entry) || entry.generatedLine !== index) continue;
        const source = readFileSync(join(bundle, entry.originalSource), 'utf8').split('\n');
        const found = source[entry.originalLine];
        assert.ok(found?.includes(declared), `${name}:${index + 1} ${found}`);
        compared += 1;
      }
    }
    assert.ok(compared > 1_000, `${compared} functions`);
  });

  it('installs into a folder of its own, too', () => {
    const own = join(folder, 'own');
    mkdirSync(own);
    const { exitCode, output } = runIn(own, 'npm', 'install', ...OFFLINE, join(made, TARBALL));
    assert.equal(exitCode, 0, output);
    const ran = runIn(own, join(own, 'node_modules', '.bin', 'payreq'), '--version');
    assert.deepEqual(ran, { exitCode: 0, output: `${VERSION}\n` });
  });

  it('refuses an old Node.js with exit code 78', () => {
    const old = join(folder, 'old');
    mkdirSync(old);
    writeFileSync(join(old, 'node'), '#!/bin/sh\necho v22.12.0\n');
    chmodSync(join(old, 'node'), 0o755);
    const ran = runIn(folder, 'env', `PATH=${old}:/usr/bin:/bin`, payreq, 'config');
    assert.equal(ran.exitCode, 78);
    assert.match(
      ran.output,
      /^payreq needs Node\.js 24\.12 or newer on PATH, and this is v22\.12\.0:/,
    );
  });
});

describe('payreq of the installed release', () => {
  let database: TestDatabase;
  let name: string;
  let settings: Record<string, string>;
  before(async () => {
    database = await createTestDatabase('sandbox');
    name = `${basename(new URL(database.url).pathname)}_empty`;
    await database.sql(`CREATE DATABASE ${name}`);
    const url = new URL(database.url);
    url.pathname = `/${name}`;
    settings = settingsOf('sandbox', url.href);
  });
  after(async () => {
    await database.sql(`DROP DATABASE ${name} WITH (FORCE)`);
    await database.drop();
  });

  it('serves from an empty database to a paid payment request, and stops', async () => {
    const service = spawnService({
      command: [payreq],
      args: ['--roles', 'api,background'],
      env: settings,
    });
    const { url, opsUrl } = await service.started();
    const env = Object.entries(settings).map(([key, value]) => `${key}=${value}`);
    const { output } = runIn(
      folder,
      'env',
      ...env,
      payreq,
      'merchant',
      'create',
      '--name',
      'Shop',
      '--json',
    );
    const merchant = JSON.parse(output);
    const call = (method: string, path: string, how = {}) => callAt(url + path, method, how);
    const headers = {
      'x-api-key': merchant.apiKey,
      authorization: `Bearer ${await buyToken(call, merchant)}`,
    };
    const created = await call('POST', '/v1/payment-requests', {
      headers,
      body: {
        amount: 25.5,
        type: 'ECOMM',
        payer: { name: 'depositSubmit', email: 'a@example.com' },
      },
    });
    assert.equal(created.status, 201, created.text);
    const path = `/v1/payment-requests/${created.json.id}?waitSeconds=${WAITED_SECONDS}`;
    let read = await call('GET', path, { headers });
    if (read.json.status === 'PROCESSING') read = await call('GET', path, { headers });
    assert.equal(read.json.status, 'PAID', read.text);

    const sdk = Buffer.from(await (await fetch(`${url}/sdk.tgz`)).arrayBuffer());
    const { tarball } = await packSdk(join(copy.folder, 'sdk'));
    assert.ok(sdk.equals(tarball), 'another SDK than the checkout serves');
    for (const page of [
      '/docs/guides/take-a-payment',
      '/docs',
      '/changelog.atom',
      '/checkout.js',
    ]) {
      assert.equal((await call('GET', page)).status, 200, page);
    }
    const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
    assert.match(metrics, new RegExp(`^service_build_info\\{.*version="${VERSION}"`, 'm'));

    service.child.kill('SIGTERM');
    assert.deepEqual(await service.ended(), [0, null]);
    assert.equal(service.stderr(), '');
  });
});

function filesBelow(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
}

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
