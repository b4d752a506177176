import { CHECKS } from './checks.ts';
import type { Check, CheckNeeds, Verdict } from './verdict.ts';

export type Result = { readonly name: string } & Verdict;

/** Runs every check in its order; without the first one the others are not tried. */
export async function runChecks(needs: CheckNeeds): Promise<Result[]> {
  const results: Result[] = [];
  for (const check of CHECKS) {
    const isUseless = results[0]?.ok === false;
    const showProgress = (message: string) => needs.showProgress(`${check.name}: ${message}`);
    const verdict = isUseless ? NOT_CHECKED : await runOne(check, { ...needs, showProgress });
    results.push({ name: check.name, ...verdict });
  }
  return results;
}

const NOT_CHECKED: Verdict = { ok: false, message: 'Not checked: it needs the database.' };

async function runOne({ run }: Check, needs: CheckNeeds): Promise<Verdict> {
  try {
    return await run(needs);
  } catch (error) {
    const { message, cause } = error instanceof Error ? error : new Error(String(error));
    const reason = cause instanceof Error ? ` (${cause.message})` : '';
    return { ok: false, message: `The check itself failed: ${message}${reason}` };
  }
}
