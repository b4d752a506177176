import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const SRC = fileURLToPath(new URL('../src/', import.meta.url));
const MIGRATIONS = fileURLToPath(new URL('../migrations/', import.meta.url));

/** Contract of the house (ARCHITECTURE.md): imports stay in the folder or follow an arrow. */
const FOUNDATIONS = ['http', 'database', 'telemetry', 'lib'];
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  settings: ['lib'],
  http: ['lib', 'database', 'telemetry'],
  database: ['lib'],
  telemetry: ['lib', 'database', 'http'],
  'payment-requests': [
    ...FOUNDATIONS,
    'access',
    'webhooks',
    'idempotency',
    'merchants',
    'e-transfer',
  ],
  idempotency: FOUNDATIONS,
  'rate-limits': FOUNDATIONS,
  processes: FOUNDATIONS,
  access: [...FOUNDATIONS, 'merchants', 'rate-limits'],
  merchants: FOUNDATIONS,
  webhooks: [...FOUNDATIONS, 'access', 'idempotency', 'merchants'],
  'e-transfer': FOUNDATIONS,
  sandbox: [...FOUNDATIONS, 'access', 'payment-requests', 'webhooks'],
  'api-reference': [...FOUNDATIONS, 'merchants', 'payment-requests', 'sandbox', 'webhooks'],
  console: [...FOUNDATIONS, 'access', 'merchants', 'payment-requests', 'webhooks'],
};

/** Longer than the usual 300 only with a reason. */
const LONGER_FILES: Readonly<Record<string, string>> = {};
const MOST_LINES = 300;
const MOST_COLUMNS = 100;

const FORBIDDEN_NAMES = /\b(utils?|helpers?|common|core|base|manager|service|handler|misc)\b/;

const files = listFiles(SRC);

describe('the house', () => {
  it('has imports that stay in their folder or follow an arrow', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => !isAllowed(roomOf(file), roomOf(target)))
        .map((target) => `${file} → ${target}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('has pure files and the library free of the outside world', () => {
    const wrong = files
      .filter((file) => roomOf(file) === 'lib')
      .filter((file) => /from '(pg|fastify|undici|pino)'/.test(read(file)));
    assert.deepEqual(wrong, []);
  });

  it('reads process.env only in config.ts', () => {
    assert.deepEqual(filesWith(/process\.env|from 'node:process'/), ['config.ts']);
  });

  it('reads the time only through lib/clock.ts', () => {
    const pattern = /new Date\(\)|Date\.now\(|performance\.now\(|process\.hrtime/;
    assert.deepEqual(filesWith(pattern), ['lib/clock.ts']);
  });

  it('keeps SQL in stores, the outbox and database/', () => {
    const sql = /['"`]\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH)\s/;
    const wrong = filesWith(sql).filter(
      (file) => roomOf(file) !== 'database' && !/(^|[-/])(store|outbox)\.ts$/.test(file),
    );
    assert.deepEqual(wrong, []);
  });

  it('names files in kebab-case and without words that say nothing', () => {
    const wrong = files.filter((file) => {
      const name = basename(file).replace(/\.ts$/, '');
      const isKnownFile = ['error-handler', 'start-service'].includes(name);
      return !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || (!isKnownFile && FORBIDDEN_NAMES.test(name));
    });
    assert.deepEqual(wrong, []);
  });

  it('keeps files and lines short', () => {
    const wrong = files.flatMap((file) => {
      const lines = read(file).split('\n');
      const long = lines.findIndex((line) => [...line].length > MOST_COLUMNS);
      return [
        ...(lines.length > MOST_LINES && !(file in LONGER_FILES) ? [`${file}: too long`] : []),
        ...(long >= 0 ? [`${file}:${long + 1}: too wide`] : []),
      ];
    });
    assert.deepEqual(wrong, []);
  });

  it('has migrations that insert their row into schema_compatibility (decision 0031)', () => {
    // 0019 brings the table, with the rows of the migrations before it.
    const wrong = readdirSync(MIGRATIONS).filter((file) => {
      const number = Number.parseInt(file, 10);
      const row = String.raw`insert into schema_compatibility \(schema, works_with\) values \(${number}, \d+\);`;
      return number > 19 && !new RegExp(row).test(readFileSync(join(MIGRATIONS, file), 'utf8'));
    });
    assert.deepEqual(wrong, []);
  });

  it('has no import cycle between folders', () => {
    const seen = new Set<string>();
    const visit = (room: string, path: readonly string[]): void => {
      assert.ok(!path.includes(room), `cycle: ${[...path, room].join(' → ')}`);
      if (seen.has(room)) return;
      const next = files
        .filter((file) => roomOf(file) === room)
        .flatMap(importsOf)
        .map(roomOf);
      // The composing files reach everything; commands use them and are composed by cli.ts.
      const others = new Set(next.filter((other) => other !== room && other !== ''));
      for (const other of others) visit(other, [...path, room]);
      seen.add(room);
    };
    for (const room of new Set(files.map(roomOf))) if (room !== '') visit(room, []);
  });
});

function isAllowed(from: string, to: string): boolean {
  // main, cli, app, background and the commands compose: they may reach everything.
  if (from === to || from === '' || from === 'commands') return true;
  return ARROWS[from]?.includes(to) ?? false;
}

/** The top folder of a file under src; empty for the composing files beside them. */
function roomOf(file: string): string {
  return file.includes('/') ? (file.split('/')[0] ?? '') : '';
}

function importsOf(file: string): string[] {
  const specifiers = [...read(file).matchAll(/from\s+'([^']+)'|import\('([^']+)'\)/g)];
  return specifiers
    .map((match) => match[1] ?? match[2] ?? '')
    .filter((specifier) => specifier.startsWith('.') || specifier.startsWith('#'))
    .map((specifier) =>
      specifier.startsWith('#') ? specifier.slice(1) : join(dirname(file), specifier),
    );
}

function filesWith(pattern: RegExp): string[] {
  return files.filter((file) => pattern.test(withoutComments(read(file))));
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

function read(file: string): string {
  return readFileSync(join(SRC, file), 'utf8');
}

function listFiles(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return listFiles(path);
    return name.endsWith('.ts') ? [relative(SRC, path)] : [];
  });
}
