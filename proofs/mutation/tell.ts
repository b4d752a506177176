import type { Score, Tried } from './mutant.ts';

/** Characters of a changed text, so that each mutant takes one line. */
const LONGEST = 90;

export function tellTried({ mutant, verdict, by }: Tried): string {
  const { file, line, mutator, original, replacement } = mutant;
  const told = `${oneLine(original)} => ${oneLine(replacement)}`;
  return `${verdict} ${file}:${line} ${mutator}: ${told}${by === null ? '' : ` (${by})`}`;
}

/** @param made the mutants of the area; fewer are tried of a sample, or when the run is stopped */
export function tellScore(name: string, made: number, score: Score): string {
  const { tried, killed, survived, equivalent, late, share } = score;
  const percent = tried === 0 ? 'no score' : `${(share * 100).toFixed(1)} %`;
  const left = `${survived.length} survived, ${equivalent} equivalent`;
  const slow = late === 0 ? '' : `, ${late} of the killed by their time limit`;
  return `${name}: ${percent} (${made} made, ${tried} tried, ${killed} killed, ${left}${slow})`;
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
