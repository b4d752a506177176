import { Command } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { keysListCommand } from './list.ts';
import { keysRemoveCommand } from './remove.ts';
import { keysRotateCommand } from './rotate.ts';

/** `payreq keys`: every command about signing keys. */
export function keysCommand(invocation: Invocation): Command {
  return new Command('keys')
    .description('the keys that sign access tokens')
    .addCommand(keysRotateCommand(invocation))
    .addCommand(keysListCommand(invocation))
    .addCommand(keysRemoveCommand(invocation));
}
