import { randomBytes, randomUUID } from 'node:crypto';
import type { Database } from '#database/database.ts';
import { systemClock } from '#lib/clock.ts';
import type { Loop } from '#lib/loop.ts';
import { type RotatingKey, rotatingKey } from '#lib/secret-key.ts';
import { encryptSecret } from '#lib/secrets/secret-box.ts';
import { newSigningSecret } from '#merchants/new-secret.ts';
import { createLog } from '#telemetry/log/log.ts';
import { attemptsOf } from '#webhooks/deliveries/attempt-store.ts';
import { enqueueWebhookEvent, type NewWebhookEvent } from '#webhooks/events/outbox.ts';
import { createWebhookUrlGuard } from '#webhooks/https/url-guard.ts';
import {
  startWebhookDelivery,
  type WebhookDeliveryDeps,
} from '#webhooks/sending/deliver-webhooks.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { createTestAuthority, type TestAuthority } from './https-listener.ts';

export const SCHEDULE_SECONDS = [
  0, 5, 30, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400,
] as const;

const START = new Date('2026-03-01T12:00:00.000Z');

export interface ListenerSecrets {
  readonly username: string;
  readonly password: string;
  readonly signingSecret: string;
}

export interface DeliveryRow {
  readonly id: string;
  readonly event_id: string;
  readonly payment_request_id: string;
  readonly sequence: number;
  readonly endpoint_id: string | null;
  readonly url: string;
  readonly status: string;
  readonly attempts: number;
  readonly next_attempt_at: Date | null;
  readonly lease_token: string | null;
}

export interface AttemptRow {
  readonly attempt: number;
  readonly outcome: string;
  readonly http_status: number | null;
  readonly response_body: string | null;
  readonly address: string | null;
  readonly duration_ms: number;
}

type Measured = { readonly name: string; readonly value: unknown };

/** An outbox with its database, and senders that a test starts as it needs them. */
export interface WebhookDeliveries {
  readonly database: TestDatabase;
  readonly authority: TestAuthority;
  readonly logLines: Record<string, unknown>[];
  readonly measured: Measured[];
  addMerchant(): Promise<{ readonly id: string } & ListenerSecrets>;
  addEndpoint(
    merchantId: string,
    url: string,
    options?: { readonly eventTypes?: readonly string[]; readonly status?: string },
  ): Promise<{ readonly id: string } & ListenerSecrets>;
  /** Gives an endpoint an older secret that signs for so many seconds more. */
  addPreviousSecret(endpointId: string, secret: string, seconds: number): Promise<void>;
  /** Writes one event; its payment request is a new one unless given. */
  enqueue(event: Partial<NewWebhookEvent> & Pick<NewWebhookEvent, 'merchantId'>): Promise<string>;
  startSender(overrides?: Partial<WebhookDeliveryDeps>): Loop;
  /**
   * Moves `service_now()` and wakes every sender. Waits until no attempt is under way. Only with a
   * clock that stands still.
   */
  advance(seconds: number): Promise<void>;
  /** Moves `service_now()` at once, also while leases stand, and wakes every sender. */
  leap(seconds: number): Promise<void>;
  deliveries(): Promise<DeliveryRow[]>;
  attempts(deliveryId: string): Promise<AttemptRow[]>;
  close(): Promise<void>;
}

export interface DeliveriesOptions {
  /** The database's clock stands still, and `advance` moves it; default. */
  readonly isClockStopped?: boolean;
}

export async function createWebhookDeliveries({
  isClockStopped = true,
}: DeliveriesOptions = {}): Promise<WebhookDeliveries> {
  const database = await createTestDatabase('sandbox', isClockStopped ? START : undefined);
  const authority = await createTestAuthority();
  const secretsKey = rotatingKey(randomBytes(32).toString('base64'));
  const senders: Loop[] = [];
  const logLines: Record<string, unknown>[] = [];
  const measured: Measured[] = [];
  let now = START.getTime();
  const write = (line: string) => void logLines.push(JSON.parse(line));
  const log = createLog({ level: 'info', destination: { write } });
  const { sql } = database;

  return {
    database,
    authority,
    logLines,
    measured,
    async addMerchant() {
      const id = `mer_${randomBytes(6).toString('hex')}`;
      const listener = newListener();
      await sql(
        `INSERT INTO merchants (id, name, listener_username, listener_password_encrypted,
           signing_secret_encrypted) VALUES ($1, 'Shop', $2, $3, $4)`,
        [id, ...boxed(secretsKey, `merchant:${id}`, listener)],
      );
      return { id, ...listener };
    },
    async addEndpoint(merchantId, url, { eventTypes = null, status = 'ACTIVE' } = {}) {
      const id = randomUUID();
      const listener = newListener();
      await sql(
        `INSERT INTO webhook_endpoints (id, listener_username, listener_password_encrypted,
           signing_secret_encrypted, merchant_id, url, event_types, status)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [id, ...boxed(secretsKey, `endpoint:${id}`, listener), merchantId, url, eventTypes, status],
      );
      return { id, ...listener };
    },
    async addPreviousSecret(endpointId, secret, seconds) {
      await sql(
        `UPDATE webhook_endpoints SET previous_signing_secret_encrypted = $2,
           previous_signing_secret_until = service_now() + make_interval(secs => $3)
         WHERE id = $1`,
        [
          endpointId,
          encryptSecret(secretsKey, secret, `endpoint:${endpointId}:signing_secret`),
          seconds,
        ],
      );
    },
    async enqueue(event) {
      const paymentRequestId = event.paymentRequestId ?? randomUUID();
      const full: NewWebhookEvent = {
        paymentRequestId,
        sequence: 1,
        eventType: 'PAYMENT-COMPLETED',
        message: 'The payer completed the transaction.',
        resource: `{"id":"${paymentRequestId}","amount":10.00}`,
        webhookUrl: null,
        createdAt: new Date(now),
        ...event,
      };
      await database.db.transaction((tx) => enqueueWebhookEvent(tx, full));
      return paymentRequestId;
    },
    startSender(overrides = {}) {
      const sender = startWebhookDelivery({
        db: database.db,
        clock: systemClock,
        guard: createWebhookUrlGuard({
          allowCidrs: ['127.0.0.1/32', '::1/128'],
          allowPorts: '*',
          resolvers: [],
        }),
        log,
        metrics: recordingMetrics(measured),
        secretsKey,
        scheduleSeconds: SCHEDULE_SECONDS,
        caPem: authority.caPem,
        random: () => 0,
        ...overrides,
      });
      senders.push(sender);
      return sender;
    },
    async advance(seconds) {
      await database.setNowBetweenAttempts(new Date(now + seconds * 1000));
      now += seconds * 1000;
      for (const sender of senders) sender.wake();
    },
    async leap(seconds) {
      now += seconds * 1000;
      await database.setNow(new Date(now));
      for (const sender of senders) sender.wake();
    },
    deliveries: () => sql<DeliveryRow>('SELECT * FROM webhook_deliveries ORDER BY id'),
    attempts: (deliveryId) =>
      sql<AttemptRow>(`SELECT * FROM ${attemptsOf('$1')} log ORDER BY attempt`, [deliveryId]),
    async close() {
      await Promise.all(senders.map((sender) => sender.stop()));
      await database.drop();
    },
  };
}

/** A database of which one named statement fails as long as the test says so. */
export function failing(db: Database, name: string, error: () => Error | null): Database {
  return {
    ...db,
    async query(statement, values) {
      const failure = statement.name === name ? error() : null;
      if (failure) throw failure;
      return db.query(statement, values);
    },
  };
}

function newListener(): ListenerSecrets {
  return {
    username: `listener_${randomBytes(4).toString('hex')}`,
    password: randomBytes(24).toString('base64url'),
    signingSecret: newSigningSecret(),
  };
}

function boxed(key: RotatingKey, owner: string, listener: ListenerSecrets): unknown[] {
  return [
    listener.username,
    encryptSecret(key, listener.password, `${owner}:listener_password`),
    encryptSecret(key, listener.signingSecret, `${owner}:signing_secret`),
  ];
}

function recordingMetrics(measured: Measured[]): WebhookDeliveryDeps['metrics'] {
  const recording = (name: string) => (value: unknown) => void measured.push({ name, value });
  return {
    deliveryAttempt: recording('deliveryAttempt'),
    leaseExpired: recording('leaseExpired'),
    loopFailed: recording('loopFailed'),
    operatorNotice: recording('operatorNotice'),
  };
}
