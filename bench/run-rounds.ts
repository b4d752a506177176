import type { Line, Sample } from './line.ts';
import { median } from './median.ts';

/** A line's medians. */
export interface LineResult {
  readonly name: string;
  readonly figure: Line['figure'];
  readonly ours: Sample;
  readonly beside: readonly BesideResult[];
}

export interface BesideResult extends Sample {
  readonly name: string;
  /** Ours by theirs, of the line's figure: the median of each round's. */
  readonly ratio: number;
}

const FIGURES = [
  'perSecond',
  'p50Ms',
  'p99Ms',
  'cpuPercent',
  'loopPercent',
  'loopLateP99Ms',
  'residentMB',
] as const satisfies readonly (keyof Sample)[];

/** Runs ours and each beside it in turn, several times, so that what disturbs one disturbs all. */
export async function runRounds(line: Line, rounds: number): Promise<LineResult> {
  const { name, figure, ours, beside } = line;
  const ofOurs: Sample[] = [];
  const ofBeside: Sample[][] = beside.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    ofOurs.push(await ours.run());
    for (const [index, contender] of beside.entries()) {
      ofBeside[index]?.push(await contender.run());
    }
  }
  return {
    name,
    figure,
    ours: medians(ofOurs),
    beside: beside.map((contender, index) => {
      const samples = ofBeside[index] ?? [];
      const ratios = samples.map((sample, round) => {
        return (ofOurs[round]?.[figure] ?? Number.NaN) / (sample[figure] ?? Number.NaN);
      });
      return { name: contender.name, ratio: median(ratios) ?? Number.NaN, ...medians(samples) };
    }),
  };
}

function medians(samples: readonly Sample[]): Sample {
  const known = FIGURES.flatMap((figure) => {
    const middle = median(samples.flatMap((sample) => sample[figure] ?? []));
    return middle === undefined ? [] : [[figure, middle] as const];
  });
  return Object.fromEntries(known);
}
