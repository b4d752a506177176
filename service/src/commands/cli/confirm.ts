import { createInterface } from 'node:readline/promises';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { UsageFault } from './inputs.ts';
import type { Invocation } from './invocation.ts';

/** A person reads a question and answers it; after this a forgotten terminal lets go. */
const LONGEST_WAIT_MS = 10 * 60_000;

/** The streams of a question and its answer; standard output is for results. */
export type Terminal = Pick<Invocation, 'stdin' | 'stderr'>;

/** @throws UsageFault where `confirm` could not ask, before a command does any work */
export function refuseUnconfirmed({
  stdin,
  stderr,
  yes,
  dryRun,
}: Terminal & { readonly yes: boolean; readonly dryRun: boolean }): void {
  if (yes || dryRun || (stdin.isTTY && stderr.isTTY)) return;
  throw new UsageFault(
    'this cannot be undone: give --yes to do it, or --dry-run to see what would be done',
  );
}

/**
 * Asks the operator on the terminal, unless `--yes` was given. Only `y` and `yes` go on.
 * @throws OperatorFault for every other answer, and after 10 minutes without one
 */
export async function confirm(
  { stdin, stderr }: Terminal,
  { yes }: { readonly yes?: boolean },
  question: string,
): Promise<void> {
  if (yes) return;
  const lines = createInterface({ input: stdin, output: stderr });
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    const signal = AbortSignal.timeout(LONGEST_WAIT_MS);
    const asked = lines.question(`${question} [y/N] `, { signal }).catch(() => '');
    const answer = await Promise.race([asked, ended]);
    if (!/^\s*y(es)?\s*$/i.test(answer)) throw new OperatorFault('Nothing was changed.');
  } finally {
    lines.close();
  }
}
