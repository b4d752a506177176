import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Random } from '../simulation/run/random.ts';
import { AREAS } from './areas.ts';
import { makeMutatedTree, ROOT } from './copy-tree.ts';
import { ensureInstrumenter } from './ensure-instrumenter.ts';
import { type Equivalent, type Score, scoreOf } from './mutant.ts';
import { withTestDatabase } from './test-database.ts';
import { tryMutants } from './try-mutants.ts';

/** The program fails below this share of killed mutants. */
const LOWEST_SHARE = 0.95;
/** Characters of a changed text that the list of survivors prints, so that each takes one line. */
const LONGEST = 90;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    sample: { type: 'string' },
    seed: { type: 'string' },
    verbose: { type: 'boolean' },
  },
});
const names = values.only ?? Object.keys(AREAS);
const unknown = names.filter((name) => !(name in AREAS));
if (unknown.length > 0) throw new Error(`No area ${unknown}; there are ${Object.keys(AREAS)}.`);
const equivalents: Equivalent[] = JSON.parse(
  readFileSync(join(ROOT, 'proofs/mutation/equivalent-mutants.json'), 'utf8'),
);
await ensureInstrumenter();
let isEnough = true;
await withTestDatabase(async (databaseUrl) => {
  for (const name of names) {
    const score = await scoreArea(name, databaseUrl);
    print(name, score);
    isEnough &&= score.share >= LOWEST_SHARE;
  }
});
process.exit(isEnough ? 0 : 1);

async function scoreArea(name: string, databaseUrl: string): Promise<Score> {
  const area = AREAS[name];
  if (!area) throw new Error(`No area ${name}.`);
  const tree = await makeMutatedTree(name, area);
  const random = new Random(Number(values.seed ?? 1));
  const most = Number(values.sample ?? tree.mutants.length);
  const sample = random.shuffle(tree.mutants).slice(0, most);
  const note = (text: string) => {
    if (values.verbose) console.error(`  ${text}`);
  };
  return scoreOf(await tryMutants({ databaseUrl, note }, tree, area, sample), equivalents);
}

function print(name: string, { killed, survived, equivalent, share }: Score): void {
  const percent = (share * 100).toFixed(1);
  const left = `${survived.length} survived, ${equivalent} equivalent`;
  console.log(`${name}: ${percent} % (${killed} killed, ${left})`);
  for (const { mutant, verdict } of survived) {
    const { file, line, mutator, original, replacement } = mutant;
    const told = `${oneLine(original)} => ${oneLine(replacement)}`;
    console.log(`  ${verdict} ${file}:${line} ${mutator}: ${told}`);
  }
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
