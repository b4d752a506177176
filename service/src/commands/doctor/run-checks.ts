import { OtherFilesFault } from '#database/schema/schema-state.ts';
import { BOOK_CHECKS } from './consistency/book-checks.ts';
import { WEBHOOK_CHECKS } from './consistency/webhook-checks.ts';
import { GUARD_CHECKS } from './guard-checks.ts';
import { SERVER_CHECKS } from './server-checks.ts';
import { SETTINGS_CHECKS } from './settings-checks.ts';
import { type CheckDeps, type Checks, fault, type Verdict } from './verdict.ts';
import { WORK_CHECKS } from './work-checks.ts';

/** All checks of `payreq doctor`, in this order; the others need the first one. */
export const CHECKS: Checks = {
  ...SERVER_CHECKS,
  ...SETTINGS_CHECKS,
  ...BOOK_CHECKS,
  ...WEBHOOK_CHECKS,
  ...WORK_CHECKS,
  ...GUARD_CHECKS,
};

const NOT_CHECKED = fault('Not checked: it needs the database.');

export type Result = { readonly name: string } & Verdict;

/**
 * Runs every check in its order; without the first one the others are not tried.
 *
 * @throws OtherFilesFault, because no check fits the tables of other files
 */
export async function runChecks(deps: CheckDeps): Promise<Result[]> {
  const results: Result[] = [];
  for (const [name, check] of Object.entries(CHECKS)) {
    const isUseless = results[0]?.ok === false;
    const showProgress = (message: string) => deps.showProgress(`${name}: ${message}`);
    const verdict = isUseless ? NOT_CHECKED : await runOne(check, { ...deps, showProgress });
    results.push({ name, ...verdict });
  }
  return results;
}

async function runOne(check: Checks[string], deps: CheckDeps): Promise<Verdict> {
  try {
    return await check(deps);
  } catch (error) {
    if (error instanceof OtherFilesFault) throw error;
    const { message, cause } = error instanceof Error ? error : new Error(String(error));
    const reason = cause instanceof Error ? ` (${cause.message})` : '';
    return fault(`The check itself failed: ${message}${reason}`);
  }
}
