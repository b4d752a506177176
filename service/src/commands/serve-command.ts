import { Command } from 'commander';
import type { Role } from '../start-service.ts';
import { readSettings } from './read-settings.ts';

/** `payreq serve`: runs the service until it is told to stop. */
export function serveCommand(): Command {
  return new Command('serve')
    .description('run the service until SIGINT or SIGTERM; brings the database up to date first')
    .option('--roles <list>', 'what this process does: api, background, or both', 'api,background')
    .action(async ({ roles: list }: { roles: string }, command: Command) => {
      // The other commands need not load the whole service.
      const [{ serve }, { ROLES }] = await Promise.all([
        import('../main.ts'),
        import('../start-service.ts'),
      ]);
      const roles = [...new Set(list.split(',').map((role) => role.trim()))];
      const isRole = (role: string): role is Role => (ROLES as readonly string[]).includes(role);
      if (!roles.every(isRole)) {
        command.error(`error: --roles takes ${ROLES.join(' and ')}, separated by a comma`);
      }
      await serve(readSettings(command), { roles: roles.filter(isRole) });
    });
}
