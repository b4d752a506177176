import { Command } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { casesAcceptCommand } from './accept.ts';
import { casesAssignCommand } from './assign.ts';
import { casesCloseCommand } from './close.ts';
import { casesListCommand } from './list.ts';
import { casesRefundCommand } from './refund.ts';
import { casesReplaceCommand } from './replace.ts';
import { casesShowCommand } from './show.ts';
import { casesSplitCommand } from './split.ts';

/** `payreq cases`: every command about operator cases. */
export function casesCommand(invocation: Invocation): Command {
  return new Command('cases')
    .description('matters of money that only a person can settle (docs/operations/cases.md)')
    .addCommand(casesListCommand(invocation))
    .addCommand(casesShowCommand(invocation))
    .addCommand(casesAcceptCommand(invocation))
    .addCommand(casesAssignCommand(invocation))
    .addCommand(casesRefundCommand(invocation))
    .addCommand(casesReplaceCommand(invocation))
    .addCommand(casesSplitCommand(invocation))
    .addCommand(casesCloseCommand(invocation));
}
