import { Command } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { refundFailCommand } from './fail.ts';
import { refundListCommand } from './list.ts';
import { refundShowCommand } from './show.ts';

/** `payreq refund`: every command about refunds. */
export function refundCommand(invocation: Invocation): Command {
  return new Command('refund')
    .description('money that merchants give back')
    .addCommand(refundShowCommand(invocation))
    .addCommand(refundListCommand(invocation))
    .addCommand(refundFailCommand(invocation));
}
