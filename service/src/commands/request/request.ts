import { Command } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { requestCancelCommand } from './cancel.ts';
import { requestShowCommand } from './show.ts';

/** `payreq request`: every command about payment requests. */
export function requestCommand(invocation: Invocation): Command {
  return new Command('request')
    .description('payment requests, by any of their references')
    .addCommand(requestShowCommand(invocation))
    .addCommand(requestCancelCommand(invocation));
}
