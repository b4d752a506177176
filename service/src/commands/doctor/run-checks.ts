import { OtherFilesFault } from '#database/schema/schema-state.ts';
import { CHECKS } from './checks.ts';
import type { Check, CheckDeps, Verdict } from './verdict.ts';

export type Result = { readonly name: string } & Verdict;

/**
 * Runs every check in its order; without the first one the others are not tried.
 *
 * @throws OtherFilesFault, because no check fits the tables of other files
 */
export async function runChecks(deps: CheckDeps): Promise<Result[]> {
  const results: Result[] = [];
  for (const check of CHECKS) {
    const isUseless = results[0]?.ok === false;
    const showProgress = (message: string) => deps.showProgress(`${check.name}: ${message}`);
    const verdict = isUseless ? NOT_CHECKED : await runOne(check, { ...deps, showProgress });
    results.push({ name: check.name, ...verdict });
  }
  return results;
}

const NOT_CHECKED: Verdict = { ok: false, message: 'Not checked: it needs the database.' };

async function runOne({ run }: Check, deps: CheckDeps): Promise<Verdict> {
  try {
    return await run(deps);
  } catch (error) {
    if (error instanceof OtherFilesFault) throw error;
    const { message, cause } = error instanceof Error ? error : new Error(String(error));
    const reason = cause instanceof Error ? ` (${cause.message})` : '';
    return { ok: false, message: `The check itself failed: ${message}${reason}` };
  }
}
