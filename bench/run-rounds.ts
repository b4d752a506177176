import type { Line, Sample } from './line.ts';
import { median } from './median.ts';

/** The medians of a line. */
export interface LineResult {
  readonly name: string;
  readonly figure: Line['figure'];
  readonly ours: Sample;
  readonly beside: readonly BesideResult[];
}

export interface BesideResult extends Sample {
  readonly name: string;
  /** The service's figure divided by this contender's: the median of the rounds' ratios. */
  readonly ratio: number;
}

const FIGURES = [
  'perSecond',
  'p50Ms',
  'p99Ms',
  'cpuPercent',
  'cpuUs',
  'databaseUs',
  'statementUs',
  'loopPercent',
  'loopLateP99Ms',
  'residentMB',
] as const satisfies readonly (keyof Sample)[];

/** Measures all contenders in turn in each round, so that a disturbance meets all of them. */
export async function runRounds(line: Line, rounds: number): Promise<LineResult> {
  const { name, figure, ours, beside } = line;
  const ourSamples: Sample[] = [];
  const besideSamples: Sample[][] = beside.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    ourSamples.push(withCosts(await ours.run()));
    for (const [index, contender] of beside.entries()) {
      besideSamples[index]?.push(withCosts(await contender.run()));
    }
  }
  return {
    name,
    figure,
    ours: medians(ourSamples),
    beside: beside.map((contender, index) => {
      const samples = besideSamples[index] ?? [];
      const ratios = samples.map((sample, round) => {
        return (ourSamples[round]?.[figure] ?? Number.NaN) / (sample[figure] ?? Number.NaN);
      });
      return { name: contender.name, ratio: median(ratios) ?? Number.NaN, ...medians(samples) };
    }),
  };
}

/** Adds the times for each of the sample's `count`. */
function withCosts(sample: Sample): Sample {
  const { count, cpuSeconds, databaseSeconds, statementSeconds } = sample;
  if (!count) return sample;
  const each = (seconds: number) => (seconds * 1e6) / count;
  return {
    ...sample,
    ...(cpuSeconds !== undefined && { cpuUs: each(cpuSeconds) }),
    ...(databaseSeconds !== undefined && { databaseUs: each(databaseSeconds) }),
    ...(statementSeconds !== undefined && { statementUs: each(statementSeconds) }),
  };
}

function medians(samples: readonly Sample[]): Sample {
  const known = FIGURES.flatMap((figure) => {
    const middle = median(samples.flatMap((sample) => sample[figure] ?? []));
    return middle === undefined ? [] : [[figure, middle] as const];
  });
  return Object.fromEntries(known);
}
