import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#lib/clock.ts';
import { rotatingKey } from '#lib/secret-key.ts';
import { onboardMerchant } from '#merchants/onboard-merchant.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { eventually } from '../eventually.ts';
import { settingsOf } from '../service/service.ts';
import { type ServiceProcess, startServiceProcess } from '../service/service-process.ts';
import { startHttpsListener } from './https-listener.ts';
import { createReceivedWebhooks, type ReceivedWebhooks } from './received-webhooks.ts';

/** Enough destinations that eight at a time to each of them is not what limits. */
const MERCHANTS = 5;

/** A database with merchants, their listener, and sender processes to start and kill. */
export interface SenderFleet {
  readonly database: TestDatabase;
  readonly merchantIds: readonly string[];
  /** `https://localhost:port/webhooks`, for all merchants. */
  readonly listenerUrl: string;
  readonly received: ReceivedWebhooks;
  /** A process of its own that only sends. */
  startSender(): Promise<ServiceProcess>;
  /**
   * Ends senders like a power cut.
   *
   * @returns what was on its way at that moment, also from other senders: each lease with its event
   */
  kill(senders: readonly ServiceProcess[]): Promise<ReadonlyMap<string, string>>;
  /** The deliveries on their way now: each lease with its event. */
  leased(): Promise<ReadonlyMap<string, string>>;
  /** Moves the ends of leases and all that falls due nearer by so many seconds. */
  skip(seconds: number): Promise<void>;
  /** How many deliveries are not over. */
  pending(): Promise<number>;
  close(): Promise<void>;
}

/** @param refusedShare of the webhooks are answered 500 */
export async function createSenderFleet(refusedShare = 0): Promise<SenderFleet> {
  const folder = await mkdtemp(join(tmpdir(), 'payreq-fleet-'));
  const database = await createTestDatabase('sandbox');
  const { sql } = database;
  const received = createReceivedWebhooks(refusedShare);
  const listener = await startHttpsListener({ answering: received.answer });
  const caFile = join(folder, 'ca.pem');
  await writeFile(caFile, listener.caPem);
  const settings = {
    ...settingsOf('sandbox', database.url),
    WEBHOOK_CA_FILE: caFile,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32,::1/128',
    WEBHOOK_ALLOW_PORTS: '*',
  };
  const merchantIds: string[] = [];
  for (let n = 0; n < MERCHANTS; n += 1) merchantIds.push(await onboard(database, settings));
  const names = new Map<ServiceProcess, string>();
  let started = 0;

  async function leased(): Promise<ReadonlyMap<string, string>> {
    const rows = await sql<{ lease: string; eventId: string }>(
      `SELECT lease_token || ' ' || id AS lease, event_id AS "eventId"
       FROM webhook_deliveries WHERE lease_token IS NOT NULL`,
    );
    return new Map(rows.map(({ lease, eventId }) => [lease, eventId]));
  }

  return {
    database,
    merchantIds,
    listenerUrl: listener.url,
    received,
    async startSender() {
      const name = `sender-${++started}`;
      const DATABASE_URL = `${database.url}?application_name=${name}`;
      const sender = await startServiceProcess({ ...settings, DATABASE_URL }, 'background');
      names.set(sender, name);
      return sender;
    },
    async kill(senders) {
      const killed = senders.map((sender) => names.get(sender));
      await Promise.all(senders.map((sender) => sender.kill('SIGKILL')));
      for (const sender of senders) names.delete(sender);
      // A statement that was under way may still be committed.
      await eventually(async () => {
        const rows = await sql(
          'SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = ANY ($1)',
          [killed],
        );
        return rows.length === 0;
      }, 'the end of the killed senders’ connections');
      return leased();
    },
    leased,
    async skip(seconds) {
      // A process whose clock is 30 s off the database's is not ready: the due times move instead.
      await sql(
        `UPDATE webhook_deliveries SET leased_until = leased_until - make_interval(secs => $1),
           next_attempt_at = next_attempt_at - make_interval(secs => $1) WHERE status = 'PENDING'`,
        [seconds],
      );
      await sql(
        `UPDATE webhook_destinations SET alone_until = alone_until - make_interval(secs => $1),
           next_probe_at = next_probe_at - make_interval(secs => $1)`,
        [seconds],
      );
    },
    async pending() {
      const [row] = await sql<{ count: number }>(
        `SELECT count(*)::int AS count FROM webhook_deliveries WHERE status = 'PENDING'`,
      );
      return row?.count ?? Number.NaN;
    },
    async close() {
      await Promise.all([...names.keys()].map((sender) => sender.kill('SIGKILL')));
      await listener.close();
      await database.drop();
      await rm(folder, { recursive: true });
    },
  };
}

async function onboard(
  { db }: TestDatabase,
  settings: Readonly<Record<string, string>>,
): Promise<string> {
  const { merchantId } = await onboardMerchant(
    {
      db,
      clock: systemClock,
      environment: 'sandbox',
      cell: 1,
      credentialsPepper: rotatingKey(settings.CREDENTIALS_PEPPER ?? ''),
      secretsKey: rotatingKey(settings.SECRETS_KEY ?? ''),
      checkWebhookUrl: async () => ({ allowed: true }),
      actor: 'test',
    },
    { name: 'Shop', webhookUrl: null, webhookOrigins: [] },
  );
  return merchantId;
}
