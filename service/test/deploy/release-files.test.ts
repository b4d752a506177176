import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { findPackageJSON } from 'node:module';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { packSdk } from '#api-reference/sdk/pack-sdk.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SCRIPTS = new URL('../../../scripts/release/', import.meta.url);
const { buildInCheckout, PUBLISHED } = await import(new URL('build-release.mjs', SCRIPTS).href);
const { changelogSection, checkPublisher } = await import(
  new URL('check-release.mjs', SCRIPTS).href
);
const { compileModule, filesIn } = await import(new URL('compile-service.mjs', SCRIPTS).href);
const { writeLockFile } = await import(new URL('install-dependencies.mjs', SCRIPTS).href);
const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const { version } = readJson(join(ROOT, 'package.json'));

describe('a module of the release', () => {
  it('imports JavaScript, at the lines and columns of its source', () => {
    const source = [
      "import { type Clock, systemClock } from '#lib/clock.ts';",
      "import type { Money } from './money.ts';",
      "export * from '../cursor.ts';",
      "const name: string = './kept.ts'; // import './kept.ts'",
      "const late = async () => (await import('./late.ts')) as Late;",
      "import data from './data.json' with { type: 'json' };",
      "import pg from 'pg';",
    ].join('\n');
    const compiled: string = compileModule(source);
    const lines = compiled.split('\n').map((line) => line.trimEnd());
    assert.deepEqual(lines, [
      "import {             systemClock } from '#lib/clock.js';",
      '',
      "export * from '../cursor.js';",
      "const name         = './kept.ts'; // import './kept.ts'",
      "const late = async () => (await import('./late.js'))        ;",
      "import data from './data.json' with { type: 'json' };",
      "import pg from 'pg';",
    ]);
    assert.equal(compiled.length, source.length);
  });
});

describe('the built release', () => {
  let folder: string;
  before(() => {
    mkdirSync(join(ROOT, '.local'), { recursive: true });
    folder = mkdtempSync(join(ROOT, '.local', 'release-'));
    buildInCheckout(folder);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('has every file that the service reads, and nothing else', () => {
    const kinds = new Map<string, number>();
    for (const path of filesIn(folder)) {
      // The checkout's, to which the folder only leads.
      if (path.startsWith('service/node_modules/')) continue;
      const kind = path.replace(
        /^(service\/src|service\/migrations|service\/texts|service\/browser\/styles|sdk\/dist)\/.*(\.\w+)$/,
        '$1 $2',
      );
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    const sources: string[] = filesIn(join(ROOT, 'service', 'src'));
    assert.equal(
      kinds.get('service/src .js'),
      sources.filter((name) => name.endsWith('.ts')).length,
    );
    const migrations = filesIn(join(ROOT, 'service', 'migrations'));
    assert.equal(kinds.get('service/migrations .sql'), migrations.length);
    const names = [...kinds.keys()].filter(
      (kind) => !/^(node_modules\/@payment-requests\/sdk\/dist|docs\/guides)\//.test(kind),
    );
    const sdk = 'node_modules/@payment-requests/sdk';
    assert.deepEqual(names.sort(), [
      'CHANGELOG.md',
      'docs/payment-request-states.md',
      'node-memory-flags',
      `${sdk}/CHANGELOG.md`,
      `${sdk}/LICENSE`,
      `${sdk}/README.md`,
      `${sdk}/package.json`,
      `${sdk}/src/checkout.js`,
      'payreq',
      'service/browser/close-window.js',
      'service/browser/code-tabs.js',
      'service/browser/console-countdown.js',
      'service/browser/console-forms.js',
      'service/browser/console-link.js',
      'service/browser/console-list.js',
      'service/browser/console-live.js',
      'service/browser/console-palette.js',
      'service/browser/console-print.js',
      'service/browser/console-refresh.js',
      'service/browser/console-templates.js',
      'service/browser/copy-fields.js',
      'service/browser/docs.js',
      'service/browser/institution-choice.js',
      'service/browser/live-page.js',
      'service/browser/shown-times.js',
      'service/browser/styles .css',
      'service/browser/try-calls.js',
      'service/migrations .sql',
      'service/package.json',
      'service/src .js',
      'service/src .json',
      'service/texts .json',
    ]);
    for (const [from, to] of [
      ['docs/guides', 'docs/guides'],
      ['sdk/dist', `${sdk}/dist`],
    ] as const) {
      assert.deepEqual(filesIn(join(folder, to)), filesIn(join(ROOT, from)));
    }
  });

  it('finds the packages of the service, not other versions of tools', () => {
    const { dependencies } = readJson(join(ROOT, 'service', 'package.json'));
    const packages = Object.keys(dependencies).filter((name) => !name.startsWith('@payment-'));
    const foundFrom = (place: string) =>
      packages.map((name) =>
        realpathSync(findPackageJSON(name, join(place, 'service/src/cli.js')) ?? ''),
      );
    assert.deepEqual(foundFrom(folder), foundFrom(ROOT));
  });

  it('knows that it is a release, and a checkout knows that it is none', async () => {
    const at = (path: string) => import(pathToFileURL(join(path)).href);
    const built = await at(join(folder, 'service', 'src', 'version.js'));
    assert.deepEqual([built.IS_RELEASE, built.SERVICE_VERSION], [true, version]);
    const checkout = await at(join(ROOT, 'service', 'src', 'version.ts'));
    assert.deepEqual([checkout.IS_RELEASE, checkout.SERVICE_VERSION], [false, version]);
  });

  it('serves the package of the SDK that the checkout serves', async () => {
    const module = join(folder, 'service', 'src', 'api-reference', 'sdk', 'pack-sdk.js');
    const built = await import(pathToFileURL(module).href);
    assert.equal((await built.packSdk()).hash, (await packSdk()).hash);
  });

  it('runs as payreq, and prints its version', () => {
    const ran = spawnSync(join(folder, 'payreq'), ['--version'], { encoding: 'utf8' });
    assert.deepEqual([ran.status, ran.stderr, ran.stdout], [0, '', `${version}\n`]);
  });

  it('offers the tools of the SDK, which has only its built files here', () => {
    const ran = spawnSync(join(folder, 'payreq'), ['trigger', '--help'], { encoding: 'utf8' });
    assert.deepEqual([ran.status, ran.stderr], [0, '']);
    assert.match(ran.stdout, /^Usage: payreq trigger \[options\] <outcome>\n/);
  });
});

describe('the package', () => {
  it('has every file to which its pages for operators lead', () => {
    const isPublished = (path: string) =>
      ['README.md', 'LICENSE', ...PUBLISHED].some(
        (each) => path === each || path.startsWith(`${each}/`),
      );
    const pages = readdirSync(join(ROOT, 'docs/operations')).filter((name) => /\.md$/.test(name));
    const missing = [
      'README.md',
      'SECURITY.md',
      'docs/reliability.md',
      'deploy/kubernetes/README.md',
      ...pages.map((name) => `docs/operations/${name}`),
    ].flatMap((page) =>
      [...readFileSync(join(ROOT, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
        .map(([, link = '']) => posix.join(posix.dirname(page), link).replace(/\/$/, ''))
        .filter((path) => !isPublished(path) || !existsSync(join(ROOT, path)))
        .map((path) => `${page}: ${path}`),
    );
    assert.deepEqual(missing, []);
  });
});

describe('the lock file of the release', () => {
  it("has the service's own version of a package of which tools have another", () => {
    const { packages } = readJson(join(ROOT, 'package-lock.json'));
    const { dependencies } = readJson(join(ROOT, 'service', 'package.json'));
    const own = Object.keys(dependencies).filter((name) => !name.startsWith('@payment-requests/'));
    const folder = mkdtempSync(join(tmpdir(), 'release-lock-'));
    try {
      for (const name of own) mkdirSync(join(folder, 'node_modules', name), { recursive: true });
      writeLockFile(folder, { name: 'payment-requests', version, dependencies });
      const written = readJson(join(folder, 'package-lock.json')).packages;
      assert.deepEqual(
        own.map((name) => [name, written[`node_modules/${name}`]?.version]),
        own.map((name) => [
          name,
          (packages[`service/node_modules/${name}`] ?? packages[`node_modules/${name}`]).version,
        ]),
      );
      assert.deepEqual(
        Object.keys(written).filter((path) => path !== '' && !path.startsWith('node_modules/')),
        [],
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the publisher of a release', () => {
  const sdk = {
    homepage: 'https://pay.dev',
    repository: { url: 'git+https://code.dev/pay.git' },
    bugs: { url: 'https://code.dev/bugs' },
  };
  const named = { repository: 'https://code.dev/pay', homepage: sdk.homepage, bugs: sdk.bugs.url };
  const python = `[project.urls]
Homepage = "${named.homepage}"
Repository = "${named.repository}"
Issues = "${named.bugs}"
`;

  it('is refused while the file has placeholders, as in this checkout, or a part is missing', () => {
    const own = readJson(join(ROOT, 'scripts/release/publisher.json'));
    assert.throws(() => checkPublisher(own, sdk, python), /has a placeholder in repository: give/);
    const parts = { ...named, bugs: undefined };
    assert.throws(() => checkPublisher(parts, sdk, python), /in bugs: give/);
  });

  it('is taken when all packages have its addresses, and refused before `npm run docs`', () => {
    checkPublisher(named, sdk, python);
    for (const [name, other] of [
      ['homepage', { ...sdk, homepage: 'https://other.dev' }],
      ['repository', { ...sdk, repository: { url: 'git+https://other.dev/pay.git' } }],
      ['bugs', { ...sdk, bugs: { url: 'https://other.dev' } }],
    ] as const) {
      const fault = new RegExp(`sdk/package.json has another ${name} .* run \`npm run docs\``);
      assert.throws(() => checkPublisher(named, other, python), fault);
    }
    for (const url of [named.homepage, named.repository, named.bugs]) {
      const other = python.replace(`"${url}"`, '"https://other.dev"');
      assert.throws(() => checkPublisher(named, sdk, other), /clients\/python\/pyproject.toml has/);
    }
  });
});

describe('the section of a version in CHANGELOG.md', () => {
  it('is there for the version of the checkout', () => {
    const text = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
    assert.match(changelogSection(text, version), /^## .*\n\n- /);
  });

  const changelog =
    '# Changelog\n\n## Pending\n\n- New.\n\n## 1.2.0 (2026-11-22)\n\n- Old.\n\n## 1.1.0\n';

  it('is the part below its heading, with or without a date', () => {
    assert.equal(changelogSection(changelog, '1.2.0'), '## 1.2.0 (2026-11-22)\n\n- Old.\n');
  });

  it('is refused when it is missing or empty', () => {
    assert.throws(() => changelogSection(changelog, '1.2'), /has no section "## 1\.2"/);
    assert.throws(() => changelogSection(changelog, '1.1.0'), /section "## 1\.1\.0".* is empty/);
  });
});
