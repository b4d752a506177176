import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { runCli } from '../commands/run-cli.ts';
import { settingsOf, startTestService, type TestService } from '../support/service/service.ts';

const PROJECT = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, PROJECT), 'utf8');
const operations = (name: string) => read(`docs/operations/${name}.md`);
const PAGES = ['behind-a-proxy', 'capacity', 'database', 'security'] as const;

let service: TestService;
before(async () => {
  service = await startTestService({ roles: ['api'] });
});
after(() => service?.stop());

/** The command lines of a page: in backquotes, also over two lines, or alone on an indented line. */
function commandsOf(text: string): readonly string[] {
  const inline = [...text.matchAll(/`(payreq [^`]+)`/g)].map(([, command = '']) => command);
  const blocks = [...text.matchAll(/^ {4,}(?:[A-Z_]+=\S+ )?(payreq .+)$/gm)].map(
    ([, command = '']) => command,
  );
  return [...inline, ...blocks].map((command) => command.replace(/\s+/g, ' '));
}

interface Command {
  /** The words of the command, such as `keys rotate`. */
  readonly words: readonly string[];
  readonly options: readonly string[];
}

function parsed(command: string): Command {
  const parts = command
    .replace(/ --env-file \S+/, '')
    .split(' ')
    .slice(1);
  const isWord = (part: string) => /^[a-z-]+$/.test(part) && !part.startsWith('-');
  const end = parts.findIndex((part) => !isWord(part));
  return {
    words: end < 0 ? parts : parts.slice(0, end),
    options: parts.filter((part) => part.startsWith('--')),
  };
}

for (const page of PAGES) {
  it(`docs/operations/${page}.md names commands and options that exist`, async () => {
    for (const command of commandsOf(operations(page))) {
      const { words, options } = parsed(command);
      const help = await runCli([...words, '--help'], {}, { isRefused: true });
      assert.equal(help.exitCode, 0, command);
      assert.match(help.stdout, new RegExp(`^Usage: payreq ${words.join(' ')}`), command);
      for (const option of options) assert.ok(help.stdout.includes(option), command);
    }
  });
}

describe('docs/operations/security.md', () => {
  it('ends the access of leaked credentials by its commands', async () => {
    const { merchantId, username, password } = await service.createMerchant();
    const [, block = ''] =
      /leaked\.\*\*[^\n]*\n\n((?: {4}.*\n)+)/.exec(operations('security')) ?? [];
    const commands = commandsOf(block);
    assert.equal(commands.length, 4);
    for (const command of commands) {
      const args = command.replace('merchant M', `merchant ${merchantId}`).split(' ').slice(1);
      // Only a terminal can be asked.
      const isAsked = args.includes('revoke');
      const { exitCode, stderr } = await runCli(
        [...args, ...(isAsked ? ['--yes'] : [])],
        service.env,
      );
      assert.equal(exitCode, 0, stderr);
    }
    const basic = Buffer.from(`${username}:${password}`).toString('base64');
    const refused = await service.call('POST', '/oauth2/token', {
      headers: {
        authorization: `Basic ${basic}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    });
    assert.equal(refused.status, 401);
  });
});

describe('docs/operations/database.md', () => {
  /** Roles and databases belong to the whole server of the tests. */
  const mark = `pages_${process.pid}`;
  const statements = (text: string) =>
    text
      .replaceAll('payreq_owner', `${mark}_owner`)
      .replaceAll('payreq_runtime', `${mark}_runtime`)
      .replace(/database payments/g, `database ${mark}`)
      .split(/;$/m)
      .filter((statement) => statement.trim() !== '');
  const blocks = () =>
    [...operations('database').matchAll(/^```sql\n([\s\S]*?)^```$/gm)].map(([, sql = '']) => sql);

  after(async () => {
    await service.database.sql(`drop database if exists ${mark} with (force)`);
    for (const role of ['owner', 'runtime']) {
      await service.database.sql(`drop role if exists ${mark}_${role}`);
    }
  });

  it('has statements that PostgreSQL takes', async () => {
    assert.equal(blocks().length, 3);
    for (const statement of blocks().slice(1).flatMap(statements)) {
      await service.database.sql(statement);
    }
  });

  it('names settings that PostgreSQL has', async () => {
    const [, table = ''] =
      /^\| setting \|[\s\S]*?\n((?:\|.*\n)+)/m.exec(operations('database')) ?? [];
    const cells = table.split('\n').map((row) => row.split('|')[1] ?? '');
    const names = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name));
    assert.ok(names.length > 14);
    const found = await service.database.sql<{ name: string }>(
      'select lower(name) as name from pg_settings where lower(name) = any($1)',
      [names],
    );
    assert.deepEqual(found.map(({ name }) => name).sort(), [...names].sort());
  });

  it('makes roles with which doctor is content', async () => {
    for (const statement of statements(blocks()[0] ?? '')) await service.database.sql(statement);
    const url = (role: string, password: string) => {
      const address = new URL(service.database.url);
      address.username = `${mark}_${role}`;
      address.password = password;
      address.pathname = `/${mark}`;
      return address.href;
    };
    const base = { ...settingsOf('sandbox', ''), RUNTIME_ROLE: `${mark}_runtime` };
    const owner = { ...base, DATABASE_URL: url('owner', 'choose-1') };
    const migrated = await runCli(['migrate'], owner);
    assert.equal(migrated.exitCode, 0, migrated.stderr);
    const runtime = { ...base, DATABASE_URL: url('runtime', 'choose-2') };
    const { stdout } = await runCli(['doctor'], runtime);
    assert.match(stdout, /^ok +database roles/m);
  });
});

describe('docs/operations/capacity.md', () => {
  it('calculates with the rates of the measurements', () => {
    const bench = read('bench/README.md');
    // The table may show each line before and after a change.
    const rateOf = (line: string) =>
      new RegExp(`^\\| ${line}(?:, after)? \\| ([\\d,]+) \\|`, 'm').exec(bench)?.[1] ?? 'none';
    const capacity = operations('capacity');
    for (const [step, line] of [
      ['CPU: creates', 'create with Idempotency-Key'],
      ['CPU: reads, three each', 'read, of 1,000 payment requests'],
      ['CPU: pages, three each', 'payer page'],
      ['CPU: webhooks, two each', 'webhook deliveries'],
      ['CPU: lists, one a second by people', 'list, first page, of 128 merchants'],
    ] as const) {
      const [, rate] =
        new RegExp(`^\\| ${step} \\| \\d+ ÷ ([\\d,]+)<!--[^>]+--> \\|`, 'm').exec(capacity) ?? [];
      assert.equal(rate, rateOf(line), step);
    }
  });
});
