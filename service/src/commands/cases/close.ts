import { Command } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { insertAuditEntry } from '#merchants/audit-log-store.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { closeCase } from './notices-store.ts';

/** `payreq cases close`: a person has settled it. Changes no payment request. */
export function casesCloseCommand(invocation: Invocation): Command {
  return new Command('close')
    .description('close a settled case; the audit log keeps the operator and the note')
    .argument('<id>', 'the case, by its id (see: payreq cases list)')
    .requiredOption('--note <text>', 'the way in which the case was settled')
    .addOption(jsonOption())
    .action(async (id: string, options: { note: string; json?: boolean }, command: Command) => {
      const kind = await withDeployment(invocation, command, ({ db, clock, actor }) =>
        db.transaction(async (tx) => {
          const closed = await closeCase(tx, id);
          if (closed === null) throw new OperatorFault(`No open case has the id ${id}.`);
          await insertAuditEntry(tx, {
            actor,
            action: 'OPERATOR_CASE_CLOSED',
            merchantId: null,
            details: { caseId: id, kind: closed, note: options.note },
            occurredAt: clock.now(),
          });
          return closed;
        }),
      );
      printResult(invocation, options, { id, kind }, [`Closed ${kind} ${id}.`]);
    });
}
