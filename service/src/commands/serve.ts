import { Command } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { readSettings } from '#commands/cli/read-settings.ts';
import type { Role } from '#start-service.ts';

/**
 * Each must have at least one of the 8 connections that a webhook receiver is promised to be spared
 * more of (delivery §1, promise 8); beyond eight cores another machine is the next step.
 */
const MOST_PROCESSES = 8;

interface ServeArguments {
  readonly roles: string;
  readonly processes: string;
  readonly migrate: boolean;
}

/** `payreq serve`: runs the service until it is told to stop. */
export function serveCommand(invocation: Invocation): Command {
  return new Command('serve')
    .description('run the service until SIGINT or SIGTERM; migrates the database first')
    .option(
      '--roles <list>',
      'the roles of this process: api, background, or both',
      'api,background',
    )
    .option(
      '--processes <n>',
      `number of processes that share the port, 1 to ${MOST_PROCESSES}: at most one a core`,
      '1',
    )
    .option('--no-migrate', 'do not change the database; it must have this version’s schema')
    .action(async (options: ServeArguments, command: Command) => {
      const { roles: list, processes: text, migrate: migrates } = options;
      // The other commands need not load the whole service.
      const [{ serve }, { ROLES }] = await Promise.all([
        import('#main.ts'),
        import('#start-service.ts'),
      ]);
      const roles = [...new Set(list.split(',').map((role) => role.trim()))];
      const isRole = (role: string): role is Role => (ROLES as readonly string[]).includes(role);
      if (!roles.every(isRole)) {
        command.error(`error: --roles takes ${ROLES.join(' and ')}, separated by a comma`);
      }
      const processes = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
      if (!(processes >= 1 && processes <= MOST_PROCESSES)) {
        command.error(`error: --processes takes a whole number from 1 to ${MOST_PROCESSES}`);
      }
      await serve(readSettings(invocation, command), {
        roles: roles.filter(isRole),
        processes,
        migrates,
      });
    });
}
