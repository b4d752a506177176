import type { DestinationState } from '#webhooks/sending/circuit-breaker.ts';
import { type Deliveries, originKey, urlKey } from './delivery-rows.ts';
import { type Journal, Table, unnest } from './journal.ts';
import type { Handlers } from './memory-database.ts';

export interface DestinationRow extends DestinationState {
  readonly destination: string;
  readonly origin: string | null;
  readonly url: string | null;
  readonly isHolding: boolean;
  readonly updatedAt: Date;
}

interface Written extends DestinationState {
  readonly destination: string;
}

const WRITTEN = [
  'destination',
  'failures',
  'isTimingOut',
  'openedAt',
  'probes',
  'nextProbeAt',
  'serialisedUntil',
] as const satisfies readonly (keyof Written)[];

export class Destinations {
  readonly rows: Table<DestinationRow>;
  readonly #deliveries: Deliveries;

  constructor(journal: Journal, deliveries: Deliveries) {
    this.rows = new Table(journal);
    this.#deliveries = deliveries;
  }

  /** The models of destination-store.ts and hold-store.ts. */
  handlers(): Handlers {
    const now = () => this.#deliveries.clock.now();
    return {
      ...this.#holdHandlers(),
      'webhook-destination-add': (values) => {
        const names = ['destination', 'origin', 'url'] as const;
        for (const row of unnest<DestinationRow>(values, names)) this.#add(row);
        return [];
      },
      'webhook-destination-lock': ([keys]) =>
        this.rows.some(keys as string[]).map((row) => ({ ...row, now: now() })),
      'webhook-destination-write': (values) => {
        for (const row of unnest<Written>(values, WRITTEN)) {
          this.rows.patch(row.destination, { ...row, updatedAt: now() });
        }
        return [];
      },
      'webhook-destination-forget': ([keys]) => {
        for (const key of keys as string[]) this.rows.remove(key);
        return [];
      },
      'webhook-destination-pause-endpoint': ([id]) => {
        const endpoint = this.#deliveries.endpoints.get(String(id));
        if (endpoint?.status !== 'ACTIVE') return [];
        const paused = { status: 'PAUSED', paused_reason: 'FAILING' } as const;
        this.#deliveries.endpoints.patch(endpoint.id, paused);
        return [];
      },
      'webhook-destination-exhaust-held': ([key, before]) =>
        this.#exhaust(String(key), before as Date),
    };
  }

  #add({ destination, origin, url }: DestinationRow): void {
    if (this.rows.get(destination)) return;
    this.rows.put(destination, {
      destination,
      origin,
      url,
      isHolding: false,
      failures: 0,
      isTimingOut: false,
      openedAt: null,
      probes: 0,
      nextProbeAt: null,
      serialisedUntil: null,
      updatedAt: this.#deliveries.clock.now(),
    });
  }

  #exhaust(key: string, before: Date): object[] {
    const queues = this.rows.where(({ origin, isHolding }) => origin === key && isHolding);
    const keys = [key, ...queues.map(({ destination }) => destination)];
    const held = this.#deliveries
      .pending()
      .filter((row) => row.attempts > 0 && row.created_at <= before && row.lease_token === null)
      .filter((row) => keys.includes(row.destination));
    for (const { id } of held) {
      const ended = { status: 'EXHAUSTED', ended_because: 'LISTENER_FAILING' } as const;
      this.#deliveries.rows.patch(id, { ...ended, next_attempt_at: null });
    }
    return held;
  }

  #holdHandlers(): Handlers {
    return {
      'webhook-hold-look-ahead': ([origin, isProbed]) => this.#hold(String(origin), !!isProbed),
      'webhook-hold-tried': ([ids, keys]) => {
        for (const [index, id] of (ids as string[]).entries()) {
          const row = this.#deliveries.rows.get(id);
          const key = (keys as string[])[index] ?? '';
          if (row?.status !== 'PENDING' || row.lease_token !== null) continue;
          this.rows.patch(key, { isHolding: true });
          this.#deliveries.rows.patch(id, { destination: key });
        }
        return [];
      },
      'webhook-hold-give-back': ([keys]) =>
        this.#giveBack(({ destination }) => (keys as string[]).includes(destination)),
      'webhook-hold-give-back-strays': () =>
        this.#giveBack(
          ({ destination }) =>
            destination.startsWith('~') && !this.rows.get(destination)?.isHolding,
        ),
      'webhook-hold-clear-empty': () => {
        const owed = new Set(this.#deliveries.pending().map(({ destination }) => destination));
        const empty = this.rows.where((row) => row.isHolding && !owed.has(row.destination));
        for (const { destination } of empty) this.rows.patch(destination, { isHolding: false });
        return empty;
      },
      'webhook-hold-release-origins': ([origins]) => {
        const held = this.rows.where(
          ({ origin, isHolding, openedAt }) =>
            origin !== null &&
            (origins as string[]).includes(origin) &&
            isHolding &&
            openedAt === null,
        );
        for (const { destination } of held) this.rows.patch(destination, { isHolding: false });
        return held;
      },
      'webhook-destination-prune': () => [],
    };
  }

  #hold(origin: string, isProbed: boolean): object[] {
    const now = this.#deliveries.clock.now();
    const ahead = this.#deliveries
      .pending()
      .filter((row) => row.destination === origin && row.endpoint_id === null)
      .filter((row) => isProbed || (row.next_attempt_at ?? now) <= now)
      .filter((row) => !this.#deliveries.isLeased(row));
    return ahead.flatMap((row) => {
      const key = urlKey(row.merchant_id, row.url);
      const failing = this.rows.get(key);
      if (!failing || (failing.openedAt === null && !isProbed)) return [];
      this.rows.patch(key, { isHolding: true });
      this.#deliveries.rows.patch(row.id, { destination: key });
      return [row];
    });
  }

  #giveBack(isMoved: (row: { readonly destination: string }) => boolean): object[] {
    const moved = this.#deliveries.pending().filter(isMoved);
    for (const { id, merchant_id: merchantId, url } of moved) {
      this.#deliveries.rows.patch(id, { destination: originKey(merchantId, url) });
    }
    return moved;
  }
}
