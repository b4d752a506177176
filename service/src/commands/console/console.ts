import { Command } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { consoleLinkCommand } from './link.ts';
import { sessionsEndCommand, sessionsListCommand } from './sessions.ts';

/** `payreq console`: every command about people of the console. */
export function consoleCommand(invocation: Invocation): Command {
  return new Command('console')
    .description('the console: one-time links and sessions of people')
    .addCommand(consoleLinkCommand(invocation))
    .addCommand(
      new Command('sessions')
        .description('who is signed in to the console')
        .addCommand(sessionsListCommand(invocation))
        .addCommand(sessionsEndCommand(invocation)),
    );
}
