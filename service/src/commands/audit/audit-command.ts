import { Command } from 'commander';
import { auditCheckpointCommand } from './audit-checkpoint-command.ts';
import { auditExportCommand } from './audit-export-command.ts';
import { auditListCommand } from './audit-list-command.ts';
import { auditPruneCommand } from './audit-prune-command.ts';
import { auditVerifyCommand } from './audit-verify-command.ts';

/** `payreq audit`: every command about the audit log. */
export function auditCommand(): Command {
  return new Command('audit')
    .description('the log of what was done about access and destinations')
    .addCommand(auditListCommand())
    .addCommand(auditVerifyCommand())
    .addCommand(auditExportCommand())
    .addCommand(auditCheckpointCommand())
    .addCommand(auditPruneCommand());
}
