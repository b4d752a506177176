/**
 * The replacement of pgbench: clients of `pg` in a separate process, each with its own loop. The
 * process receives an InsertLoad and answers with a Sample.
 */
import pg from 'pg';
import type { Sample } from '../line.ts';

export interface InsertLoad {
  /** A single statement; `:name` stands for a value. */
  readonly sql: string;
  readonly databaseUrl: string;
  readonly clients: number;
  readonly seconds: number;
  readonly values: Readonly<Record<string, string>>;
}

process.once('disconnect', () => process.exit());
process.on('message', async (load: InsertLoad) => {
  process.send?.(await insert(load));
});
process.send?.('ready');

async function insert({ sql, databaseUrl, clients, seconds, values }: InsertLoad) {
  const names: string[] = [];
  // A second colon in front marks a cast, not a value.
  const text = sql.replace(/(?<!:):([a-z]+)\b/g, (_, name: string) => `$${names.push(name)}::text`);
  const statement = { name: 'bench-insert', text, values: names.map((name) => values[name]) };
  const latencies: number[] = [];
  const connected = await Promise.all(Array.from({ length: clients }, () => connect(databaseUrl)));
  const startedMs = performance.now();
  const endsMs = startedMs + seconds * 1000;
  await Promise.all(
    connected.map(async (client) => {
      while (performance.now() < endsMs) {
        const sentMs = performance.now();
        await client.query(statement);
        latencies.push(performance.now() - sentMs);
      }
    }),
  );
  const perSecond = (latencies.length * 1000) / (performance.now() - startedMs);
  await Promise.all(connected.map((client) => client.end()));
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  return { perSecond, count: latencies.length, p50Ms: at(0.5), p99Ms: at(0.99) } satisfies Sample;
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}
