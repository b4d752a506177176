import { Command } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { credentialsCreateCommand } from './create.ts';
import { credentialsListCommand } from './list.ts';
import { credentialsRevokeCommand } from './revoke.ts';
import { credentialsRotateCommand } from './rotate.ts';
import { rotateListenerCommand } from './rotate-listener.ts';
import { credentialsShowListenerCommand } from './show-listener.ts';

/** `payreq credentials`: every command about credentials. */
export function credentialsCommand(invocation: Invocation): Command {
  return new Command('credentials')
    .description('a merchant’s usernames, passwords, API keys and listener credentials')
    .addCommand(credentialsCreateCommand(invocation))
    .addCommand(credentialsListCommand(invocation))
    .addCommand(credentialsRotateCommand(invocation))
    .addCommand(credentialsRevokeCommand(invocation))
    .addCommand(credentialsShowListenerCommand(invocation))
    .addCommand(rotateListenerCommand(invocation));
}
