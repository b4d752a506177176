import { createRandom, drawInteger, drawWeighted, type Random } from '../history/random.ts';

export const FAULT_KINDS = [
  'kill-service',
  'pause-service',
  'skew-clock',
  'crash-database',
  'stop-database',
  'fill-disk',
  'cut-connections',
  'delay-connections',
  'freeze-connections',
  'lose-answers',
  'fail-receiver',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** A fault of the schedule. */
export interface PlannedFault {
  readonly kind: FaultKind;
  /** Since the start of the load. */
  readonly atMs: number;
  /** Until the nemesis heals it. */
  readonly forMs: number;
  /** Chooses one of several processes: from 0, below 1. */
  readonly target: number;
  /** A way of the fault: the direction of a clock, or how a receiver fails. */
  readonly way: number;
}

interface Manner {
  readonly weight: number;
  readonly leastMs: number;
  readonly mostMs: number;
}

/** A pause may outlast a lease of a delivery (45 s); a frozen connection the client's limit. */
const MANNERS: Readonly<Record<FaultKind, Manner>> = {
  'kill-service': { weight: 20, leastMs: 100, mostMs: 2_000 },
  'pause-service': { weight: 12, leastMs: 500, mostMs: 60_000 },
  'skew-clock': { weight: 6, leastMs: 5_000, mostMs: 30_000 },
  'crash-database': { weight: 6, leastMs: 100, mostMs: 3_000 },
  'stop-database': { weight: 4, leastMs: 100, mostMs: 3_000 },
  'fill-disk': { weight: 5, leastMs: 1_000, mostMs: 8_000 },
  'cut-connections': { weight: 10, leastMs: 100, mostMs: 5_000 },
  'delay-connections': { weight: 8, leastMs: 1_000, mostMs: 15_000 },
  'freeze-connections': { weight: 6, leastMs: 1_000, mostMs: 20_000 },
  'lose-answers': { weight: 14, leastMs: 1_000, mostMs: 8_000 },
  'fail-receiver': { weight: 10, leastMs: 1_000, mostMs: 20_000 },
};

const LEAST_GAP_MS = 300;
const MOST_GAP_MS = 2_500;
/** The service must do some work between the faults: one fault takes a quarter of a run at most. */
const LARGEST_PART = 1 / 4;

/**
 * Draws the schedule of a run: first each kind once, in a drawn order, then by weight. An equal
 * seed and an equal length give an equal schedule.
 */
export function planFaults(seed: number, lengthMs: number): PlannedFault[] {
  const random = createRandom(seed, 'nemesis');
  const firsts = shuffle(random, FAULT_KINDS);
  const plan: PlannedFault[] = [];
  const nextGap = () => drawInteger(random, LEAST_GAP_MS, MOST_GAP_MS);
  for (let atMs = nextGap(); atMs < lengthMs; atMs += nextGap()) {
    const kind = firsts.shift() ?? drawWeighted(random, WEIGHTS);
    const drawnMs = drawLength(random, MANNERS[kind]);
    const forMs = Math.round(Math.min(drawnMs, lengthMs * LARGEST_PART));
    plan.push({ kind, atMs, forMs, target: random(), way: random() });
  }
  return plan;
}

const WEIGHTS = Object.fromEntries(
  FAULT_KINDS.map((kind) => [kind, MANNERS[kind].weight]),
) as Record<FaultKind, number>;

/** Short durations are as frequent as long ones, by the order of magnitude. */
function drawLength(random: Random, { leastMs, mostMs }: Manner): number {
  return leastMs * (mostMs / leastMs) ** random();
}

function shuffle<Item>(random: Random, items: readonly Item[]): Item[] {
  const drawn = items.map((item) => ({ item, place: random() }));
  return drawn.sort((one, other) => one.place - other.place).map(({ item }) => item);
}
