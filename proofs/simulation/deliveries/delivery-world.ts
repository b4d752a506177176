import { newId } from '#lib/new-id.ts';
import { encryptSecret } from '#lib/secrets/secret-box.ts';
import type { Log } from '#telemetry/log/log.ts';
import { type AttemptResult, SentTooLate } from '#webhooks/https/send-webhook.ts';
import { writeAttempts } from '#webhooks/sending/attempt-batcher.ts';
import type { AttemptDeps } from '#webhooks/sending/attempt-delivery.ts';
import { claimAndSend, startSending } from '#webhooks/sending/deliver-webhooks.ts';
import { claimHandlers, type Secrets } from '../memory/claim-model.ts';
import { Deliveries, type DeliveryRow } from '../memory/delivery-rows.ts';
import { Destinations } from '../memory/destination-rows.ts';
import { Journal } from '../memory/journal.ts';
import { MemoryDatabase } from '../memory/memory-database.ts';
import { FakeClock } from '../run/fake-clock.ts';
import type { Random } from '../run/random.ts';
import { Receivers } from './receivers.ts';

export const MERCHANT_ID = 'mer_1';
const KEY = { current: Buffer.alloc(32, 7), previous: null };
const QUIET = { info() {}, warn() {}, error() {}, writeInfo() {} } as unknown as Log;

/** The default of WEBHOOK_RETRY_SCHEDULE_SECONDS, as delivery §2 lists the attempts. */
export const SCHEDULE = [0, 5, 30, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

export const ENDPOINTS = [
  { id: '00000000-0000-7000-8000-0000000000e1', url: 'https://one.example/hook' },
  { id: '00000000-0000-7000-8000-0000000000e2', url: 'https://two.example/hook' },
];
/** Two URLs of one origin, which payment requests name themselves. */
export const OWN_URLS = ['https://own.example/a', 'https://own.example/b'];

const secretsOf = (owner: string): Secrets => ({
  username: 'listener',
  sealedSecrets: [
    encryptSecret(KEY, 'password', `${owner}:listener_password`),
    encryptSecret(KEY, 'whsec_00', `${owner}:signing_secret`),
  ]
    .map((box) => `\\x${box.toString('hex')}`)
    .join(' '),
});
const SECRETS = new Map(ENDPOINTS.map(({ id }) => [id, secretsOf(`endpoint:${id}`)]));
const DEFAULT_SECRETS = secretsOf(`merchant:${MERCHANT_ID}`);

/** A request of a sender: it connects, is written while the lease lasts, and ends. */
export interface Exchange {
  readonly sender: Sender;
  readonly url: string;
  readonly eventId: string;
  readonly body: string;
  readonly mayStillSend: () => boolean;
  readonly end: (result: AttemptResult) => void;
  readonly giveUp: (error: Error) => void;
  /** null: nothing was written yet. */
  result: AttemptResult | null;
}

export interface Sender {
  readonly name: string;
  isAlive: boolean;
  readonly sending: ReturnType<typeof startSending>;
}

/** The watch is called at each act of a sender that a promise forbids in some states. */
export interface Watch {
  readonly onStart: (row: DeliveryRow) => void;
  readonly onWrite: (exchange: Exchange) => void;
  readonly onEnd: () => void;
}

/** Two senders of one deployment and the receivers of a merchant. */
export class DeliveryWorld {
  readonly clock = new FakeClock();
  readonly deliveries: Deliveries;
  readonly destinations: Destinations;
  readonly receivers = new Receivers();
  readonly db: MemoryDatabase;
  readonly exchanges: Exchange[] = [];
  readonly senders: Sender[] = [];
  readonly requests: string[] = [newId(), newId(), newId()];
  readonly #random: Random;
  readonly #watch: Watch;
  #names = 0;

  constructor(random: Random, watch: Watch) {
    this.#random = random;
    this.#watch = watch;
    const journal = new Journal();
    this.deliveries = new Deliveries(journal, this.clock);
    this.destinations = new Destinations(journal, this.deliveries);
    const isWatched = (keys: readonly string[]) => this.destinations.rows.some(keys).length > 0;
    this.db = new MemoryDatabase(journal, {
      ...this.deliveries.handlers(isWatched),
      ...this.destinations.handlers(),
      ...claimHandlers(this.deliveries, this.destinations, ({ endpoint_id: id }) =>
        id === null ? DEFAULT_SECRETS : (SECRETS.get(id) ?? DEFAULT_SECRETS),
      ),
    });
    for (const endpoint of ENDPOINTS) {
      const row = { ...endpoint, merchant_id: MERCHANT_ID, status: 'ACTIVE', paused_reason: null };
      this.deliveries.endpoints.put(endpoint.id, row as never);
    }
    this.senders.push(this.#newSender(), this.#newSender());
  }

  /** @returns whether the sender has claimed something */
  claim(sender: Sender, named: readonly string[] = []): Promise<boolean> {
    const metrics = { leaseExpired() {} } as never;
    const { signal } = new AbortController();
    const { db, clock } = this;
    return claimAndSend({ db, clock, metrics }, sender.sending, signal, named);
  }

  /** A process that dies loses its leases to their end, and what its receivers answered. */
  kill(sender: Sender): void {
    sender.isAlive = false;
    for (const exchange of this.exchanges.filter((each) => each.sender === sender)) {
      this.exchanges.splice(this.exchanges.indexOf(exchange), 1);
      const isWritten = exchange.result === null && this.#random.chance(0.5);
      if (isWritten && exchange.mayStillSend()) this.write(exchange);
    }
    this.senders.splice(this.senders.indexOf(sender), 1, this.#newSender());
  }

  /** The receiver gets the whole request. */
  write(exchange: Exchange): void {
    this.#watch.onWrite(exchange);
    const { url, eventId, body } = exchange;
    const key = `${url} ${eventId}`;
    const known = this.receivers.bodies.get(key) ?? body;
    if (known !== body) throw new Error(`two bodies of one event at ${url}`);
    this.receivers.bodies.set(key, body);
    exchange.result = this.receivers.answer(url, eventId, this.#random);
  }

  /** Lets an exchange go on: its request is written, or its answer is recorded. */
  async progress(exchange: Exchange): Promise<string> {
    if (exchange.result === null && exchange.mayStillSend()) {
      this.write(exchange);
      return `${exchange.sender.name} writes to ${exchange.url}`;
    }
    this.exchanges.splice(this.exchanges.indexOf(exchange), 1);
    const { result } = exchange;
    if (result === null) exchange.giveUp(new SentTooLate());
    else exchange.end(result);
    await everythingSettled();
    this.#watch.onEnd();
    return `${exchange.sender.name} ends ${exchange.url}: ${result?.outcome ?? 'too late'}`;
  }

  #newSender(): Sender {
    this.#names += 1;
    const { db, clock } = this;
    const name = `sender ${this.#names}`;
    const deps: AttemptDeps & { readonly senders: number } = {
      db,
      clock,
      log: QUIET,
      metrics: { deliveryAttempt() {}, operatorNotice() {} } as never,
      sender: {
        send: (webhook, mayStillSend = () => true) =>
          new Promise((end, giveUp) => {
            const { url, id: eventId, body } = webhook;
            this.exchanges.push({
              sender,
              url,
              eventId,
              body,
              mayStillSend,
              end,
              giveUp,
              result: null,
            });
            const row = this.deliveries.rows.where(
              (each) => each.event_id === eventId && each.url === url,
            )[0];
            if (row) this.#watch.onStart(row);
          }),
        async close() {},
      },
      recorder: {
        // The real recorder batches, and tries again while the lease lasts.
        record: async (attempt) => {
          const write = () => writeAttempts({ db, log: QUIET }, [attempt]);
          const [written = null] = await write().catch(write);
          return written;
        },
      },
      secretsKey: KEY,
      scheduleSeconds: SCHEDULE,
      random: () => this.#random.next(),
      faults: null,
      senders: 2,
    };
    const sender: Sender = { name, isAlive: true, sending: startSending(deps, () => {}) };
    return sender;
  }
}

/** The database answers within the turn: after it, every chain of calls has ended. */
export function everythingSettled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
