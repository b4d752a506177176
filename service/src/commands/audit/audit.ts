import { Command } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { auditCheckpointCommand } from './checkpoint.ts';
import { auditExportCommand } from './export.ts';
import { auditListCommand } from './list.ts';
import { auditPruneCommand } from './prune.ts';
import { auditVerifyCommand } from './verify.ts';

/** `payreq audit`: every command about the audit log. */
export function auditCommand(invocation: Invocation): Command {
  return new Command('audit')
    .description('the log of acts on access and destinations')
    .addCommand(auditListCommand(invocation))
    .addCommand(auditVerifyCommand(invocation))
    .addCommand(auditExportCommand(invocation))
    .addCommand(auditCheckpointCommand(invocation))
    .addCommand(auditPruneCommand(invocation));
}
