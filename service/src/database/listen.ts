import pg from 'pg';
import { ask } from '#database/connection/ask.ts';
import type { SilenceWatch } from '#database/connection/watch-silence.ts';

const RELISTEN_DELAY_MS = 1_000;
/** A listening connection sends nothing: without a heartbeat its death stays unnoticed. */
const HEARTBEAT_MS = 3_000;
/**
 * A heartbeat waits for no lock and reads nothing. With its interval, a silent database is noticed
 * within 9 s.
 */
const HEARTBEAT_LIMIT_MS = 5_000;
/** A stop waits this long for a silent server. */
const END_LIMIT_MS = 1_000;

export interface ListenOptions {
  readonly connection: pg.ClientConfig;
  readonly silence: SilenceWatch;
  readonly channel: string;
  /** Without a payload when some notifications may have been missed. */
  readonly onNotify: (payload?: string) => void;
  /** The statement that a new connection begins with. */
  readonly greeting: pg.QueryConfig;
}

/** Listens on a channel and reconnects by itself. Returns the stop. */
export function listenOn(options: ListenOptions): () => Promise<void> {
  const { connection, silence, channel, onNotify, greeting } = options;
  let stopped = false;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const fresh = new pg.Client(connection);
    client = fresh;
    let over = false;
    const again = () => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      fresh.end().catch(() => {});
      if (!stopped) timer = setTimeout(connect, RELISTEN_DELAY_MS);
    };
    const askInTime = async (query: pg.QueryConfig) => {
      silence.asked(fresh, HEARTBEAT_LIMIT_MS);
      await ask(fresh, query);
      silence.answered(fresh);
    };
    const beat = () => {
      if (over || stopped) return;
      timer = setTimeout(() => askInTime({ text: 'SELECT 1' }).then(beat, again), HEARTBEAT_MS);
    };
    fresh.on('error', again);
    fresh.on('end', again);
    fresh.on('notification', ({ payload }) => onNotify(payload));
    try {
      await fresh.connect();
      silence.add(fresh);
      await askInTime(greeting);
      await askInTime({ text: `LISTEN ${pg.escapeIdentifier(channel)}` });
      // The callback finds changes that were notified while no connection listened.
      onNotify();
      beat();
    } catch {
      again();
    }
  }

  void connect();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    if (client) await endInTime(client);
  };
}

async function endInTime(client: pg.Client): Promise<void> {
  const late = new Promise<void>((resolve) => {
    setTimeout(resolve, END_LIMIT_MS).unref();
  });
  await Promise.race([client.end().catch(() => {}), late]);
}
