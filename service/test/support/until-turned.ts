import type { Loop } from '#lib/loop.ts';
import { eventually } from './eventually.ts';

/** The first turn may have begun before the call, and so have seen an older state. */
const TURNS = 2;

/** Wakes a loop and waits until a turn of it that began after this call has ended. */
export async function untilTurned(loop: Loop): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) {
    const wokenAtMs = performance.now();
    loop.wake();
    await eventually(() => {
      const sinceMs = performance.now() - wokenAtMs;
      return loop.turns().every((each) => each.sinceMs < sinceMs);
    }, 'a turn of the loop');
  }
}
