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
  /** The statement that a new connection begins with. */
  readonly greeting: pg.QueryConfig;
}

interface Listener {
  readonly channel: string;
  /** Without a payload when some notifications may have been missed. */
  readonly onNotify: (payload?: string) => void;
}

/** @returns the stop */
export type Listen = (channel: string, onNotify: Listener['onNotify']) => () => Promise<void>;

/**
 * Makes the function that listens on channels. All of them share a connection, which connects
 * again by itself, and ends with the last stop: PostgreSQL wakes each connection that listens, for
 * a notification on any channel.
 */
export function createListening({ connection, silence, greeting }: ListenOptions): Listen {
  const listeners = new Set<Listener>();
  let client: pg.Client | undefined;
  /** Adds a listener to the connection; undefined: the connection is still to be made. */
  let add: ((listener: Listener) => void) | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const fresh = new pg.Client(connection);
    client = fresh;
    const isOver = () => client !== fresh;
    const again = () => {
      if (isOver()) return;
      client = undefined;
      add = undefined;
      clearTimeout(timer);
      fresh.end().catch(() => {});
      timer = setTimeout(connect, RELISTEN_DELAY_MS);
    };
    const askInTime = askInTurn(fresh, silence);
    const beat = () => {
      if (isOver()) return;
      timer = setTimeout(() => askInTime({ text: 'SELECT 1' }).then(beat, again), HEARTBEAT_MS);
    };
    const listenTo = async (listener: Listener) => {
      await askInTime({ text: `LISTEN ${pg.escapeIdentifier(listener.channel)}` });
      // The callback finds changes that were notified while no connection listened.
      if (listeners.has(listener)) listener.onNotify();
    };
    fresh.on('error', again);
    fresh.on('end', again);
    fresh.on('notification', ({ channel, payload }) => {
      for (const each of listeners) if (each.channel === channel) each.onNotify(payload);
    });
    try {
      await fresh.connect();
      silence.add(fresh);
      await askInTime(greeting);
      // A listener that is added meanwhile has its turn, too.
      for (const listener of listeners) await listenTo(listener);
      if (isOver()) return;
      add = (listener) => void listenTo(listener).catch(again);
      beat();
    } catch {
      again();
    }
  }

  return (channel, onNotify) => {
    const listener = { channel, onNotify };
    listeners.add(listener);
    if (listeners.size === 1) void connect();
    else add?.(listener);
    return async () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      clearTimeout(timer);
      const ended = client;
      client = undefined;
      add = undefined;
      if (ended) await endInTime(ended);
    };
  };
}

/** Asks one statement at a time: pg warns of others that wait, and the watch knows one. */
function askInTurn(client: pg.Client, silence: SilenceWatch) {
  let tail = Promise.resolve();
  return (query: pg.QueryConfig): Promise<void> => {
    const asked = tail.then(async () => {
      silence.asked(client, HEARTBEAT_LIMIT_MS);
      await ask(client, query);
      silence.answered(client);
    });
    tail = asked.catch(() => {});
    return asked;
  };
}

async function endInTime(client: pg.Client): Promise<void> {
  const late = new Promise<void>((resolve) => {
    setTimeout(resolve, END_LIMIT_MS).unref();
  });
  await Promise.race([client.end().catch(() => {}), late]);
}
