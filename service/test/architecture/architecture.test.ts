import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  defaultsOverStatus,
  escapesInHtml,
  fullFolders,
  longFiles,
  longFunctions,
  namesOfNetworks,
  readersOfProcessEnv,
  readersOfTime,
  sqlOutsideStores,
  stylesInCode,
  vagueNames,
  wideLines,
  writersOfAnswers,
} from './code-rules.ts';
import {
  consoleOnStores,
  drawArrows,
  fileCycles,
  folderCycles,
  importsAgainstArrows,
  importsBetweenParts,
  importsOfGuardedModules,
  impureImports,
  loadedByMerchantCommands,
  routesOnStores,
  unusedArrows,
} from './import-rules.ts';
import { otherStatusWriters, statusesNamedInSql, unexpectedWriters } from './sql-rules.ts';
import { proseInMarkup, stylesInAttributes, textsInCode } from './text-rules.ts';
import { readTree, type Tree } from './tree.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const tree = readTree();

type Planted = Readonly<Record<string, string>>;

interface Rule {
  readonly title: string;
  readonly find: (tree: Tree) => string[];
  /** Violations: text that is added at the top of files. The rule finds each. */
  readonly planted: readonly Planted[];
  /** Files that the rule finds in the tree as it is. */
  readonly expected?: readonly string[];
}

const RULES: readonly Rule[] = [
  {
    title: 'imports follow the arrows between the folders of the service',
    find: importsAgainstArrows,
    planted: [
      { 'lib/money.ts': "import { page } from '#http/pages/page.ts';" },
      { 'lib/loop.ts': "const { page } = await import('#http/pages/page.ts');" },
      { 'lib/loop.ts': 'const { page } = await import(`#http/pages/page.ts`);' },
      { 'ledger/model/entry.ts': "import type { Visit } from '#console/shell/visit.ts';" },
    ],
  },
  {
    title: 'each arrow between features is taken by an import',
    find: unusedArrows,
    planted: [{ 'settings/console-settings.ts': '/*', 'settings/half-set.ts': '' }],
  },
  {
    title: 'imports between service, SDK, shop, bench and scripts follow their arrows',
    find: importsBetweenParts,
    planted: [{ 'app.ts': "import { x } from '../../bench/run.ts';" }],
  },
  {
    title: 'sibling folders have no import cycle',
    find: folderCycles,
    planted: [
      {
        'payment-requests/lookup/find-store.ts':
          "import { x } from '#payment-requests/create/insert-store.ts';",
      },
    ],
  },
  {
    title: 'files have no import cycle, types included',
    find: fileCycles,
    planted: [
      { 'lib/clock.ts': "import { x } from './loop.ts';" },
      { 'lib/clock.ts': "import type { Loop } from './loop.ts';" },
    ],
  },
  {
    title: 'pure files (lib/, model/) import only pure files',
    find: impureImports,
    planted: [
      {
        'payment-requests/model/payment-request.ts':
          "import { findMerchant } from '#merchants/merchant-store.ts';",
      },
      { 'payment-requests/model/expiry.ts': "import { readFileSync } from 'node:fs';" },
    ],
  },
  {
    title: 'route modules call use cases, not stores',
    find: routesOnStores,
    planted: [
      {
        'payment-requests/create/routes.ts':
          "import { claimDeliveries } from '#webhooks/sending/claim-store.ts';",
      },
    ],
  },
  {
    title: 'the console calls use cases, not the stores of other features',
    find: consoleOnStores,
    planted: [
      { 'console/home/routes.ts': "import { findMerchant } from '#merchants/merchant-store.ts';" },
      {
        'cases/v9.ts': "export { findCase } from './case-store.ts';",
        'console/home/routes.ts': "import { findCase } from '#cases/v9.ts';",
      },
      {
        'cases/v9.ts': "import { findCase } from './case-store.ts';\nexport { findCase };",
        'console/home/routes.ts': "import { findCase } from '#cases/v9.ts';",
      },
      ...[
        'export const find = store.findCase;',
        'export default store;',
        'export default store.findCase;',
        'export const acts = { find: store.findCase };',
        'export const acts = { ...store };',
        'export { store };',
      ].map((text) => ({
        'cases/v9.ts': `import * as store from './case-store.ts';\n${text}`,
        'console/home/routes.ts': "import { findCase } from '#cases/v9.ts';",
      })),
      {
        'cases/v9.ts':
          "import { findCase } from './case-store.ts';\nexport const acts = { findCase };",
        'console/home/routes.ts': "import { acts } from '#cases/v9.ts';",
      },
    ],
  },
  {
    title: 'guarded modules have only the importers that the rule names',
    find: importsOfGuardedModules,
    planted: [
      {
        'payment-requests/network/client.ts':
          "import { x } from '#e-transfer/simulated-network/simulated-network.ts';",
      },
      {
        'webhooks/feed/routes.ts':
          "await import('../../e-transfer/simulated-network/simulated-network.ts');",
      },
      {
        'payment-requests/status/change-status.ts': "export * from './status-store.ts';",
        'cases/settle-case.ts': "import { x } from '#payment-requests/status/change-status.ts';",
      },
    ],
  },
  {
    title: 'commands about merchants start without the acts on cases and the schemas of calls',
    find: loadedByMerchantCommands,
    planted: [
      {
        'commands/cli/act-for-operator.ts':
          "import { actOrPropose } from '#approvals/act-or-propose.ts';",
      },
    ],
  },
  {
    title: 'process.env is read only in config.ts',
    find: readersOfProcessEnv,
    planted: [
      'export const home = process.env.HOME;',
      'const { env } = process;',
      "const { HOME } = process['env'];",
      "const home = process?.['env'].HOME;",
      "import { env } from 'node:process';",
      'const { HOME } = globalThis.process.env;',
      'const { process: { env } } = globalThis;',
      'const { HOME } = (process).env;',
      'const { HOME } = (process as any).env;',
      "const { HOME } = Reflect.get(process, 'env');",
      'const { HOME } = process!.env;',
    ].map((text) => ({ 'app.ts': text })),
    expected: ['config.ts'],
  },
  {
    title: 'the time is read only in lib/clock.ts',
    find: readersOfTime,
    planted: [
      'export const started = Date.now();',
      'export const started = new Date();',
      'export const started = new Date;',
      'export const now = Date.now;',
      'export const now = Temporal.Now.instant();',
      "export const now = Date['now']();",
    ].map((text) => ({ 'app.ts': text })),
    expected: ['lib/clock.ts'],
  },
  {
    title: 'answers that Fastify does not own are written only by the answer writer',
    find: writersOfAnswers,
    planted: [{ 'http/live/streams.ts': 'raw.end(text);' }],
    expected: ['http/answers/answer-writer.ts'],
  },
  {
    title: 'SQL stands only in stores, the outbox and database/',
    find: sqlOutsideStores,
    planted: [
      "export const text = 'SELECT 1';",
      'export const text = `select id from refunds`;',
      'export const text = `\n  update refunds r set version = 1`;',
      "export const text = 'insert into refunds default values';",
      'export const text = `with old as (delete from refunds) select 1`;',
      "export const text = 'select pg_notify($1, $2)';",
      `export const text = "select 'a' from refunds";`,
      "export const text = 'LOCK TABLE refunds';",
      'export const text = `-- the reason\n  select id from refunds`;',
      'export const text = `\n  -- one\n  -- two\n  DELETE FROM refunds`;',
    ].map((text) => ({ 'cases/settle-case.ts': text })),
  },
  {
    title: 'each table is written only by the stores that its entry names',
    find: unexpectedWriters,
    planted: [
      "const TEXT = `UPDATE payment_requests SET status = 'PAID' WHERE id = $1`;",
      'const TEXT = `update only "payment_requests" set version = 1`;',
      'const TEXT = `WITH gone AS (DELETE FROM\n  ledger_entries RETURNING 1) SELECT 1`;',
      `const TEXT = \`INSERT INTO \${'refunds'} DEFAULT VALUES\`;`,
      "const TEXT = 'DELETE FROM ' + table;",
      'const TEXT = `TRUNCATE audit_log`;',
      'const TEXT = `MERGE INTO refund_events USING x ON true WHEN MATCHED THEN DELETE`;',
    ].map((text) => ({ 'merchants/merchant-store.ts': text })),
  },
  {
    title: 'the status of payment requests and of refunds is set only by its status store',
    find: otherStatusWriters,
    planted: [
      {
        'payment-requests/change/update-store.ts':
          'const TEXT = `UPDATE payment_requests p SET version = 2,\n  status = $1 WHERE id = $2`;',
      },
      { 'refunds/network/poll-store.ts': "const TEXT = 'update refunds set status = $1';" },
      ...[
        'INSERT INTO refunds (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET status = $2',
        'UPDATE refunds SET (version, status) = (1, $1)',
        'UPDATE refunds SET (status) = ROW ($1)',
        'UPDATE refunds SET "status" = $1',
        'UPDATE ONLY "refunds" r SET version = 1, status = $1',
        'UPDATE refunds SET version = (SELECT max(version) FROM x WHERE y = $2), status = $1',
        'UPDATE refunds SET a = coalesce((SELECT b FROM x), 1), status = $1 WHERE id = $2',
        'MERGE INTO refunds r USING x ON true WHEN MATCHED THEN UPDATE SET status = $1',
      ].map((text) => ({ 'refunds/network/poll-store.ts': `const TEXT = \`${text}\`;` })),
    ],
  },
  {
    title: 'SQL takes statuses from the tables of statuses',
    find: statusesNamedInSql,
    planted: [
      "const TEXT = `SELECT 1 FROM payment_requests WHERE status = 'PAID'`;",
      "const TEXT = `SELECT p.status <> 'PAID' FROM payment_requests p`;",
      "const TEXT = `SELECT FROM refunds WHERE status NOT IN ('OTHER', 'FAILED')`;",
      "const TEXT = `SELECT CASE r.status WHEN 'COMPLETED' THEN 1 END FROM refunds r`;",
      "const TEXT = `SELECT FROM refunds WHERE status = any (array['CREATED'])`;",
      "const TEXT = `SELECT FROM refunds WHERE 'COMPLETED' = status`;",
      "const TEXT = `SELECT FROM refunds r WHERE 'COMPLETED' <> r.status`;",
      "const TEXT = `SELECT FROM refunds WHERE status::text = 'COMPLETED'`;",
      "const TEXT = `SELECT FROM refunds WHERE (r.status)::text LIKE 'COMPLETED'`;",
    ].map((text) => ({ 'cases/case-store.ts': text })),
  },
  {
    title: 'a network is named only in its folder and in compose/; others ask its capabilities',
    find: namesOfNetworks,
    planted: [
      "export const isBank = config.eTransferNetwork === 'bank-transfer';",
      "export const isBank = config.eTransferNetwork.startsWith('bank');",
      'export const isBank = config.eTransferNetwork.match(/^bank/) !== null;',
    ].map((text) => ({ 'app.ts': text })),
  },
  {
    title: 'templates of HTML have no escape, which a page would show',
    find: escapesInHtml,
    planted: [
      'const page = html`<p>a</p>\\n<p>b</p>`;',
      `const page = html\`\${items.join('')}\\n\`;`,
    ].map((text) => ({ 'console/create/form.ts': text })),
  },
  {
    title: 'styles stand in service/browser/styles',
    find: stylesInCode,
    planted: [
      { 'app.ts': 'const STYLE = `.card { padding: 1rem; }`;' },
      { 'console/shell/style.ts': 'const PRINT = `@media print { nav { all: unset } }`;' },
    ],
    // The colours of an institution are data.
    expected: ['e-transfer/simulated-network/pages/gateway-style.ts'],
  },
  {
    title: 'texts stand in JSON, and no code asks for a certain language',
    find: textsInCode,
    planted: [
      { 'app.ts': "export const title = { en: 'Title', fr: 'Titre' };" },
      ...[
        "export const isFrench = (language: string) => language === 'fr';",
        "export const isFrench = (language: string) => language == 'fr-CA';",
        "export const isFrench = (language: string) => language.startsWith('fr');",
        `export const locale = (language: string) => \`\${language}-CA\`;`,
        "export const locale = (language: string) => language + '-CA';",
        'const format = new Intl.NumberFormat(visit.language);',
      ].map((text) => ({ 'background.ts': text })),
    ],
    expected: ['service/src/http/negotiation/choose-language.ts', 'demo-shop/src/language.ts'],
  },
  {
    title: 'markup has no text of its own, apart from pages for developers',
    find: proseInMarkup,
    planted: [
      'const page = html`<p>Two words</p>`;',
      `const page = html\`<ul>!\${rows.map(({ a }) => html\`<li>\${a}: it’s paid</li>\`)}</ul>\`;`,
      `const page = html\`<p>\${count} new rows</p>\`;`,
      `const page = "<p class='quiet'>Two words</p>";`,
      'const page = html`<input placeholder="Search payments">`;',
      `const page = html\`<p>\${a}</p>\nTwo words<br>\`;`,
    ].map((text) => ({ 'console/create/form.ts': text })),
    // The shop's name.
    expected: ['\0 · Demo Shop', 'Demo Shop'].map(
      (name) => `demo-shop/src/pages/shop-page.ts: ${name}`,
    ),
  },
  {
    title: 'no element has styles of its own',
    find: stylesInAttributes,
    planted: [
      { 'console/create/form.ts': `const page = html\`<p style="color:red">\${text}</p>\`;` },
      { 'app.ts': `const page = '<p style="color:red">';` },
      { '../browser/copy-fields.js': "element.setAttribute('style', 'color:red');" },
    ],
  },
  {
    title: 'file names are kebab-case and say what the file is',
    find: vagueNames,
    planted: [{ 'http/json-utils.ts': '' }],
  },
  {
    title: 'files have at most 300 lines',
    find: longFiles,
    planted: [{ 'app.ts': '\n'.repeat(300) }],
  },
  {
    title: 'lines have at most 100 columns',
    find: wideLines,
    planted: [{ 'app.ts': `// ${'x'.repeat(100)}` }],
  },
  {
    title: 'no switch over a status has a default',
    find: defaultsOverStatus,
    planted: [{ 'app.ts': "switch (status) {\n  case 'PAID':\n    break;\n  default:\n}" }],
  },
  {
    title: 'functions have at most 70 lines',
    find: longFunctions,
    planted: [
      { 'app.ts': `export function x() {\n${'  y();\n'.repeat(70)}}` },
      {
        'app.ts': `class X {\n  async read(a: string): Promise<void> {\n${'    y();\n'.repeat(82)}  }\n}`,
      },
    ],
  },
  {
    title: 'folders have at most 20 files',
    find: fullFolders,
    planted: [
      Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`lib/planted-${index}.ts`, ''])),
    ],
  },
];

describe('the architecture', () => {
  for (const { title, find, planted, expected = [] } of RULES) {
    it(`keeps the rule: ${title}`, () => {
      assert.deepEqual(find(tree), expected);
      for (const each of planted) {
        assert.notDeepEqual(find(withPlanted(each)), expected, `finds ${JSON.stringify(each)}`);
      }
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

  it('is described by an ARCHITECTURE.md that draws the arrows between features', () => {
    const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
    assert.ok(
      text.includes(
        drawArrows()
          .map((line) => `   ${line}\n`)
          .join(''),
      ),
      drawArrows().join('\n'),
    );
  });

  it('names the writers of a table that a migration adds', () => {
    assert.ok(unexpectedWriters(tree, ['new_table']).includes('new_table: no entry'));
  });
});

function withPlanted(planted: Planted): Tree {
  const changed = Object.entries(planted).map(([name, text]): [string, string] => {
    const path = `service/src/${name}`;
    return [path, `${text}\n${tree.get(path) ?? ''}`];
  });
  return new Map([...tree, ...changed]);
}
