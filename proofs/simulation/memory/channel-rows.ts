import type { Clock } from '#lib/clock.ts';
import { type Journal, Table } from './journal.ts';
import type { Handlers } from './memory-database.ts';

interface ChannelRow {
  readonly openedAt: Date | null;
  readonly nextProbeAt: Date | null;
  readonly dataRefusals: number;
}

/** The simulated deployment has one channel. */
const CHANNEL = 'EMAIL';
const CLOSED: ChannelRow = { openedAt: null, nextProbeAt: null, dataRefusals: 0 };

/** The breaker of the channel, with the models of its statements; the rate is not bounded here. */
export function channelHandlers(journal: Journal, clock: Clock): Handlers {
  const rows = new Table<ChannelRow>(journal);
  rows.put(CHANNEL, CLOSED);
  const state = () => rows.get(CHANNEL) ?? CLOSED;
  const patch = (changes: Partial<ChannelRow>) => void rows.patch(CHANNEL, changes);
  const probeIn = (seconds: unknown) => new Date(clock.now().getTime() + Number(seconds) * 1_000);
  return {
    'message-lock-channel': () => {
      const { openedAt, nextProbeAt } = state();
      const mayProbe = nextProbeAt !== null && nextProbeAt <= clock.now();
      return [{ isOpen: openedAt !== null, mayProbe, claimed: 0 }];
    },
    'message-count-claimed': ([, , seconds]) => {
      if (state().openedAt !== null) patch({ nextProbeAt: probeIn(seconds) });
      return [];
    },
    'message-open-breaker': ([, , seconds]) => {
      const { openedAt } = state();
      patch({ openedAt: openedAt ?? clock.now(), nextProbeAt: probeIn(seconds) });
      return openedAt === null ? [{}] : [];
    },
    'message-close-breaker': () => {
      patch(CLOSED);
      return [];
    },
    'message-count-data-refusal': () => {
      const { dataRefusals: before } = state();
      patch({ dataRefusals: before + 1 });
      return [{ before }];
    },
  };
}
