import type { AskedAct } from '#approvals/act-or-propose.ts';
import type { ActKind, ResultOf } from '#approvals/model/act.ts';
import { Problem } from '#lib/problem.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { ActProposed } from './act-proposed.ts';
import type { Deployment } from './with-deployment.ts';

/**
 * Does an act of the command line, or only proposes it where approvals are on (decision 0068): the
 * operating system's account is no person that the identity provider has signed in.
 *
 * @throws ActProposed where the act waits for people who approve it in the console
 * @throws OperatorFault with the sentence of the act's refusal
 */
export async function doOrPropose<Kind extends ActKind>(
  deployment: Deployment,
  act: AskedAct<Kind>,
): Promise<ResultOf<Kind>> {
  const { db, clock, actor } = deployment;
  // 560 modules: other commands of these nouns start without them.
  const { actOrPropose } = await import('#approvals/act-or-propose.ts');
  const { approvalDepsOf } = await import('#compose/approvals/approval-deps.ts');
  const deps = approvalDepsOf({ config: deployment, db, clock });
  try {
    const acted = await actOrPropose(deps, { actor, subject: null }, act);
    if (acted.status === 'DONE') return acted.result;
    throw new ActProposed(acted.proposal);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { PROBLEMS } = await import('#http/problems/kinds.ts');
    const { code, detail = PROBLEMS[code].detail } = error;
    throw new OperatorFault(`The act cannot be done. ${detail}`);
  }
}
