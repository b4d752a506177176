import { Command } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { payerEraseCommand } from './erase.ts';
import { payerErasuresCommand } from './erasures.ts';

/** `payreq payer`: every command about payers. */
export function payerCommand(invocation: Invocation): Command {
  return new Command('payer')
    .description('the people who pay')
    .addCommand(payerEraseCommand(invocation))
    .addCommand(payerErasuresCommand(invocation));
}
