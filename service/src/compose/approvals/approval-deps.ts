import type { ApprovalDeps } from '#approvals/act-or-propose.ts';
import type { Config } from '#config.ts';
import type { DatabaseDeps } from '#database/database.ts';
import { findSpentIds } from '#refunds/spent-ids/spent-ids.ts';
import type { ChangeRefundDeps } from '#refunds/status/change-refund-status.ts';
import { misbehaviourOf } from '#sandbox/misbehaviour-of.ts';
import { secondsToFirstStep } from '#sandbox/refunds/plan-refund.ts';
import { messageHooksOf } from '../messages/message-deps.ts';
import { canRefund, showingOf, unpayableOf } from '../networks.ts';

/** The parts of a process that acts; a command has no signals of its own to send. */
export interface ActingProcess extends DatabaseDeps {
  readonly config: Config;
  /** Left out: a command, which notifies the running service after the commit. */
  readonly refund?: ChangeRefundDeps;
}

/** The needs of acts that two people may have to stand behind. */
export function approvalDepsOf({ config, db, clock, refund }: ActingProcess): ApprovalDeps {
  const isSandbox = config.environment === 'sandbox';
  const isSupported = canRefund(config);
  const silent = { clock, settings: config, wakeSenders() {}, onRefundChanged() {} };
  return {
    ...{ db, clock, settings: config, canRefund: isSupported },
    findShowing: showingOf(config),
    ...(isSandbox && { misbehaviourOf }),
    messages: messageHooksOf(config, clock),
    refund: {
      ...(refund ?? silent),
      timeZone: config.timeZone,
      handOverSeconds: isSupported ? handOverSecondsOf(isSandbox) : null,
      findSpentIds: (tx, ids) => findSpentIds(tx, config.secretsKey, ids),
      findUnpayable: unpayableOf(config),
    },
  };
}

function handOverSecondsOf(isSandbox: boolean) {
  return isSandbox ? secondsToFirstStep : () => 0;
}
