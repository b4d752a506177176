import { Command } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { bankDemoPayCommand } from './demo-pay.ts';
import { bankImportCommand } from './import.ts';
import { bankReconcileCommand } from './reconcile.ts';
import { bankRefundsCommand } from './refunds.ts';
import { bankUnmatchedCommand } from './unmatched.ts';

/** `payreq bank`: every command about bank files. */
export function bankCommand(invocation: Invocation): Command {
  return new Command('bank')
    .description('bank statements and payment files of the bank-transfer network')
    .addCommand(bankImportCommand(invocation))
    .addCommand(bankUnmatchedCommand(invocation))
    .addCommand(bankRefundsCommand(invocation))
    .addCommand(bankReconcileCommand(invocation))
    .addCommand(bankDemoPayCommand(invocation));
}
