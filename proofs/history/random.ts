import { createHash } from 'node:crypto';

/** Gives numbers from 0 to 1, without 1; an equal seed gives equal numbers. */
export type Random = () => number;

/**
 * Makes the numbers of one stream of a seed (mulberry32). Each part of a run has its own stream:
 * the pace of a part changes no decision of other parts.
 */
export function createRandom(seed: number, stream: string): Random {
  const digest = createHash('sha256').update(`${seed}/${stream}`).digest();
  let state = digest.readUInt32LE(0);
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** An integer from `least` to `most`, both included. */
export function drawInteger(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1));
}

/** Draws one of the weighted choices. @throws Error without a choice */
export function drawWeighted<Choice extends string>(
  random: Random,
  weights: Readonly<Record<Choice, number>>,
): Choice {
  const choices = Object.entries(weights) as [Choice, number][];
  let left = random() * choices.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [choice, weight] of choices) {
    left -= weight;
    if (left < 0) return choice;
  }
  const last = choices.at(-1);
  if (!last) throw new Error('There is nothing to choose from.');
  return last[0];
}
