import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  defaultsOverStatus,
  fullFolders,
  longFiles,
  longFunctions,
  readersOfProcessEnv,
  readersOfTime,
  sqlOutsideStores,
  vagueNames,
  wideLines,
  writersOfAnswers,
} from './code-rules.ts';
import {
  consoleOnStores,
  fileCycles,
  folderCycles,
  importsAgainstArrows,
  importsBetweenParts,
  importsOfGuardedModules,
  impureImports,
  routesOnStores,
} from './import-rules.ts';
import { readTree, type Tree } from './tree.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const MIGRATIONS = fileURLToPath(new URL('../../migrations/', import.meta.url));

const tree = readTree();

interface Rule {
  readonly title: string;
  readonly find: (tree: Tree) => string[];
  /** Text that is added at the top of a file, so that the rule is broken. */
  readonly planted: Readonly<Record<string, string>>;
  /** Files that the rule finds in the tree as it is. */
  readonly expected?: readonly string[];
}

const RULES: readonly Rule[] = [
  {
    title: 'imports follow the arrows between the folders of the service',
    find: importsAgainstArrows,
    planted: { 'lib/money.ts': "import { page } from '#http/pages/page.ts';" },
  },
  {
    title: 'imports between service, SDK, shop, bench and scripts follow their arrows',
    find: importsBetweenParts,
    planted: { 'app.ts': "import { x } from '../../bench/run.ts';" },
  },
  {
    title: 'sibling folders have no import cycle',
    find: folderCycles,
    planted: {
      'payment-requests/lookup/find-store.ts':
        "import { x } from '#payment-requests/create/insert-store.ts';",
    },
  },
  {
    title: 'files have no import cycle',
    find: fileCycles,
    planted: { 'lib/clock.ts': "import { x } from './loop.ts';" },
  },
  {
    title: 'pure files (lib/, model/) import only pure files',
    find: impureImports,
    planted: {
      'payment-requests/model/payment-request.ts':
        "import { findMerchant } from '#merchants/merchant-store.ts';",
    },
  },
  {
    title: 'route modules call use cases, not stores',
    find: routesOnStores,
    planted: {
      'payment-requests/create/routes.ts':
        "import { claimDeliveries } from '#webhooks/sending/claim-store.ts';",
    },
  },
  {
    title: 'the console calls use cases, not the stores of other features',
    find: consoleOnStores,
    planted: {
      'console/home/routes.ts': "import { findMerchant } from '#merchants/merchant-store.ts';",
    },
  },
  {
    title: 'guarded modules have only the importers that the rule names',
    find: importsOfGuardedModules,
    planted: {
      'payment-requests/network/client.ts':
        "import { x } from '#e-transfer/simulated-network/simulated-network.ts';",
    },
  },
  {
    title: 'process.env is read only in config.ts',
    find: readersOfProcessEnv,
    planted: { 'app.ts': 'export const home = process.env.HOME;' },
    expected: ['config.ts'],
  },
  {
    title: 'the time is read only in lib/clock.ts',
    find: readersOfTime,
    planted: { 'app.ts': 'export const started = Date.now();' },
    expected: ['lib/clock.ts'],
  },
  {
    title: 'answers that Fastify does not own are written only by the answer writer',
    find: writersOfAnswers,
    planted: { 'http/live/streams.ts': 'raw.end(text);' },
    expected: ['http/answers/answer-writer.ts'],
  },
  {
    title: 'SQL stands only in stores, the outbox and database/',
    find: sqlOutsideStores,
    planted: { 'app.ts': "export const text = 'SELECT 1';" },
  },
  {
    title: 'file names are kebab-case and say what the file is',
    find: vagueNames,
    planted: { 'http/json-utils.ts': '' },
  },
  {
    title: 'files have at most 300 lines',
    find: longFiles,
    planted: { 'app.ts': '\n'.repeat(300) },
  },
  {
    title: 'lines have at most 100 columns',
    find: wideLines,
    planted: { 'app.ts': `// ${'x'.repeat(100)}` },
  },
  {
    title: 'no switch over a status has a default',
    find: defaultsOverStatus,
    planted: { 'app.ts': "switch (status) {\n  case 'PAID':\n    break;\n  default:\n}" },
  },
  {
    title: 'functions have at most 70 lines',
    find: longFunctions,
    planted: { 'app.ts': `export function x() {\n${'  y();\n'.repeat(70)}}` },
  },
  {
    title: 'folders have at most 20 files',
    find: fullFolders,
    planted: Object.fromEntries(
      Array.from({ length: 21 }, (_, index) => [`lib/planted-${index}.ts`, '']),
    ),
  },
];

describe('the architecture', () => {
  for (const { title, find, planted, expected = [] } of RULES) {
    it(`keeps the rule: ${title}`, () => {
      assert.deepEqual(find(tree), expected);
      assert.notDeepEqual(find(withPlanted(planted)), expected, 'a planted violation is found');
    });
  }

  it('is described by an ARCHITECTURE.md whose paths exist', () => {
    const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
    const paths = [...text.matchAll(/`([a-z-]+\/[\w./-]+|[a-z-]+\.ts)`/g)].map((match) => match[1]);
    assert.ok(paths.length > 30, `${paths.length} paths`);
    const homes = ['', 'service/src', 'service/src/payment-requests'];
    const missing = paths.filter(
      (path) => !homes.some((home) => existsSync(join(ROOT, home, path ?? ''))),
    );
    // Packages of the table of dependencies have a slash, too.
    assert.deepEqual(
      missing.filter((path) => !text.includes(`@${path}`)),
      [],
    );
  });

  it('has migrations that insert their row into schema_compatibility (decision 0031)', () => {
    // Migration 0019 makes the table, with the rows of the migrations before it.
    const wrong = readdirSync(MIGRATIONS).filter((file) => {
      const number = Number.parseInt(file, 10);
      const row = String.raw`insert into schema_compatibility \(schema, works_with\) values \(${number}, \d+\);`;
      return number > 19 && !new RegExp(row).test(readFileSync(join(MIGRATIONS, file), 'utf8'));
    });
    assert.deepEqual(wrong, []);
  });
});

function withPlanted(planted: Rule['planted']): Tree {
  const changed = Object.entries(planted).map(([name, text]): [string, string] => {
    const path = `service/src/${name}`;
    return [path, `${text}\n${tree.get(path) ?? ''}`];
  });
  return new Map([...tree, ...changed]);
}
