import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Random } from '../simulation/run/random.ts';
import { AREAS } from './areas.ts';
import { makeMutatedTree, ROOT } from './copy-tree.ts';
import { ensureInstrumenter } from './ensure-instrumenter.ts';
import { type Equivalent, isEquivalent, scoreOf, type Tried } from './mutant.ts';
import { tellScore, tellTried } from './tell.ts';
import { withTestDatabases } from './test-database.ts';
import { tryMutants } from './try-mutants.ts';

/** The program fails below this share of killed mutants. */
const LOWEST_SHARE = 0.95;
const TELL_EACH_MS = 15_000;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    minutes: { type: 'string' },
    sample: { type: 'string' },
    seed: { type: 'string' },
    at: { type: 'string', multiple: true },
    verbose: { type: 'boolean' },
  },
});
const names = values.only ?? Object.keys(AREAS);
const unknown = names.filter((name) => !(name in AREAS));
if (unknown.length > 0) throw new Error(`No area ${unknown}; there are ${Object.keys(AREAS)}.`);
const equivalents: Equivalent[] = JSON.parse(
  readFileSync(join(ROOT, 'proofs/mutation/equivalent-mutants.json'), 'utf8'),
);
const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupt.abort());
const endsAtMs = performance.now() + Number(values.minutes ?? Number.POSITIVE_INFINITY) * 60_000;

await ensureInstrumenter();
let isEnough = true;
await withTestDatabases(async (databaseUrls) => {
  for (const [index, name] of names.entries()) {
    if (interrupt.signal.aborted) {
      console.log(`${name}: no score, stopped`);
      continue;
    }
    const minutes = (endsAtMs - performance.now()) / 60_000 / (names.length - index);
    const share = await scoreArea(name, minutes, databaseUrls);
    isEnough &&= share >= LOWEST_SHARE;
  }
});
process.exit(isEnough && !interrupt.signal.aborted ? 0 : 1);

/** Prints survivors as they are found, the score meanwhile, and the score at the end. */
async function scoreArea(
  name: string,
  minutes: number,
  [firstUrl, ...otherUrls]: readonly [string, ...string[]],
): Promise<number> {
  const area = AREAS[name];
  if (!area) throw new Error(`No area ${name}.`);
  const tree = await makeMutatedTree(name, area);
  const sample = draw(tree.mutants);
  const tried: Tried[] = [];
  const tell = () => tellScore(name, tree.mutants.length, scoreOf(tried, equivalents));
  const told = (each: Tried) => {
    tried.push(each);
    if (each.verdict === 'KILLED' && !values.verbose) return;
    const isKnown = each.verdict !== 'KILLED' && isEquivalent(each.mutant, equivalents);
    console.log(`  ${isKnown ? 'EQUIVALENT, ' : ''}${tellTried(each)}`);
  };
  const note = (text: string) => {
    if (values.verbose) console.error(`  ${text}`);
  };
  const stop = AbortSignal.any([interrupt.signal, ...timeouts(minutes)]);
  const trialsAt = (databaseUrl: string) => ({ folder: tree.folder, databaseUrl, stop, note });
  const timer = setInterval(() => console.log(tell()), TELL_EACH_MS);
  try {
    await tryMutants([trialsAt(firstUrl), ...otherUrls.map(trialsAt)], area, sample, told);
  } finally {
    clearInterval(timer);
  }
  const isWhole = tried.length === sample.length;
  console.log(`${tell()}${isWhole ? '' : ` — stopped, ${sample.length - tried.length} not tried`}`);
  return scoreOf(tried, equivalents).share;
}

/** The mutants to try, in the order of the seed: those tried so far are always a fair sample. */
function draw<Item extends { readonly file: string; readonly line: number }>(
  mutants: readonly Item[],
): readonly Item[] {
  const { at } = values;
  const isAsked = ({ file, line }: Item) =>
    !at || at.some((end) => `${file}:${line}`.endsWith(end));
  const shuffled = new Random(Number(values.seed ?? 1)).shuffle(mutants.filter(isAsked));
  return shuffled.slice(0, Number(values.sample ?? shuffled.length));
}

function timeouts(minutes: number): AbortSignal[] {
  return Number.isFinite(minutes)
    ? [AbortSignal.timeout(Math.max(0, Math.ceil(minutes * 60_000)))]
    : [];
}
