import { parseArgs } from 'node:util';
import { printFailure, simulateSeed } from './seeds/simulate-seed.ts';
import { simulateSeeds } from './seeds/simulate-seeds.ts';

const { values } = parseArgs({
  options: { seeds: { type: 'string' }, seed: { type: 'string' }, from: { type: 'string' } },
});
const count = numberOf('seeds', values.seeds, 1_000);
const from = numberOf('from', values.from, 1);
const startedMs = performance.now();
const failures =
  values.seed === undefined
    ? await simulateSeeds({ from, count })
    : [await simulateSeed(numberOf('seed', values.seed, 0))].filter((each) => each !== null);
const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
for (const failure of failures) console.log(`${printFailure(failure)}\n`);
const seeds =
  values.seed === undefined ? `seeds ${from} to ${from + count - 1}` : `seed ${values.seed}`;
console.log(`${seeds}: ${failures.length} failed, ${seconds} s`);
const [first] = failures;
if (first) console.log(`Repeat it: npm run simulate -- --seed ${first.seed}`);
process.exitCode = failures.length === 0 ? 0 : 1;

function numberOf(name: string, text: string | undefined, otherwise: number): number {
  const number = Number(text ?? otherwise);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  console.error(`--${name} must be a whole number.`);
  process.exit(2);
}
