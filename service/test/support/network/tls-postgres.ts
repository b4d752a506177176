import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { readDatabaseUrl } from '#settings/read-database-url.ts';
import { eventually } from '../eventually.ts';
import { freePort } from '../free-port.ts';
import type { TestAuthority } from '../webhooks/https-listener.ts';

interface Address {
  readonly user?: string;
  readonly password?: string;
  readonly host?: string;
  readonly port?: number;
  readonly database?: string;
  readonly query?: string;
}

/** A PostgreSQL server of one test file, with TLS. */
export interface TlsPostgres {
  url(address?: Address): string;
  sql(text: string): Promise<Record<string, unknown>[]>;
  /** Whether a connection with this query of its address is encrypted. */
  isEncrypted(query: string): Promise<boolean>;
  /** Writes a file beside the server's; its path. */
  keep(name: string, text: string): Promise<string>;
  /** Which connections the server takes: with TLS alone, or all. */
  allowOnly(kind: 'host' | 'hostssl'): Promise<void>;
  switchTls(state: 'on' | 'off'): Promise<void>;
  stop(): Promise<void>;
}

const PASSWORD = 'postgres';
/** The scripts that start the PostgreSQL of all tests start this server in the same way. */
const SCRIPTS = new URL('../../../../scripts/', import.meta.url);

/** Starts the server with a certificate for these names. */
export async function startTlsPostgres(
  authority: TestAuthority,
  names: readonly string[],
): Promise<TlsPostgres> {
  const { openLogFile } = await import(new URL('state/log-files.mjs', SCRIPTS).href);
  const { prepareOwnPostgres } = await import(new URL('postgres/prepare.mjs', SCRIPTS).href);
  const { startPostgres } = await import(new URL('postgres/server.mjs', SCRIPTS).href);
  const folder = mkdtempSync(join(tmpdir(), 'tls-postgres-'));
  mkdirSync(join(folder, 'logs'));
  const own = await prepareOwnPostgres(join(folder, 'server'), () => {});
  const { cert, key } = await authority.issue({ names });
  const files = { ssl_cert_file: cert, ssl_key_file: key };
  const tls = Object.entries(files).map(([setting, text]) => {
    const path = join(own.folder, `${setting}.pem`);
    writeFileSync(path, text, { mode: 0o600 });
    if (own.account) chownSync(path, own.account.uid, own.account.gid);
    return `${setting}=${path}`;
  });
  const port = await freePort();
  const server = await startPostgres({
    ...own,
    port,
    password: PASSWORD,
    settings: ['fsync=off', ...tls],
    log: openLogFile(folder, 'postgresql'),
    signal: new AbortController().signal,
    note: () => {},
  });
  const kept = join(folder, 'kept');
  mkdirSync(kept);

  function url(address: Address = {}): string {
    const { user = 'postgres', password = PASSWORD, host = 'localhost', query = '' } = address;
    const { database = 'payments' } = address;
    return `postgres://${user}:${password}@${host}:${address.port ?? port}/${database}?${query}`;
  }

  async function ask(connectionString: string, text: string) {
    const client = new pg.Client({ connectionString });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }
  const sql = (text: string) => ask(url({ database: 'postgres' }), text);
  const ssl = async () => (await sql('SHOW ssl'))[0]?.ssl;
  const switchTls = async (state: 'on' | 'off') => {
    await sql(`ALTER SYSTEM SET ssl = ${state}`);
    await sql('SELECT pg_reload_conf()');
    await eventually(async () => (await ssl()) === state, `ssl = ${state}`);
  };
  await switchTls('on');

  return {
    url,
    sql,
    async isEncrypted(query) {
      const text = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
      const [row] = await ask(readDatabaseUrl(url({ database: 'postgres', query })), text);
      return row.ssl;
    },
    async keep(name, text) {
      const path = join(kept, name);
      writeFileSync(path, text);
      return path;
    },
    async allowOnly(kind) {
      const path = join(own.folder, 'data', 'pg_hba.conf');
      const lines = readFileSync(path, 'utf8').replace(/^host(ssl)?(?=\s)/gm, kind);
      const encrypted = readDatabaseUrl(url({ database: 'postgres', query: 'sslmode=require' }));
      writeFileSync(path, lines);
      await ask(encrypted, 'SELECT pg_reload_conf()');
      await eventually(async () => {
        const plain = await ask(url({ database: 'postgres' }), 'SELECT 1').catch(() => null);
        return (plain === null) === (kind === 'hostssl');
      }, `pg_hba.conf with ${kind}`);
    },
    switchTls,
    async stop() {
      await server.stop();
      rmSync(own.folder, { recursive: true, force: true });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
