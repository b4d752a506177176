import { setTimeout as wait } from 'node:timers/promises';
import { callService, type WorkloadMerchant } from './call-service.ts';
import type { History } from './history.ts';

/** Follows the feed or the ledger of a merchant under its cursor. */
export interface Follower {
  /** Reads until the signal. */
  follow(ended: AbortSignal): Promise<void>;
  /** Reads until an answer has nothing new. */
  finish(limitMs: number): Promise<void>;
}

const PAUSE_MS = 500;

export function createFollower(
  { history, nextOrigin }: { readonly history: History; readonly nextOrigin: () => string },
  { merchant, token }: { readonly merchant: WorkloadMerchant; token(): Promise<string> },
  name: 'feed' | 'ledger',
): Follower {
  let after: string | null = null;

  /** @returns how many items came; null: no answer, and the cursor stays */
  async function read(): Promise<number | null> {
    const bearer = await token();
    if (bearer === '') return null;
    const asked = { name, after };
    const call = history.send(merchant.merchantId, asked);
    const { token: _, ...line } = await callService(nextOrigin(), merchant, bearer, asked);
    history.append({ kind: 'answered', call, ...line });
    if (line.outcome !== 'ok') return null;
    after = line.told?.nextCursor ?? after;
    return line.told?.ids?.length ?? 0;
  }

  return {
    async follow(ended) {
      while (!ended.aborted) {
        await read();
        await wait(PAUSE_MS, undefined, { signal: ended }).catch(() => {});
      }
    },
    async finish(limitMs) {
      const giveUpAt = performance.now() + limitMs;
      for (let count = await read(); count !== 0; count = await read()) {
        if (performance.now() > giveUpAt) throw new Error(`The ${name} has no end.`);
        if (count === null) await wait(PAUSE_MS);
      }
    },
  };
}
