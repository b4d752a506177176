import { Option } from 'commander';
import { defineTool } from '#commands/cli/define-command.ts';
import { type Input, UsageFault, usual } from '#commands/cli/inputs.ts';
import type { Role } from '#compose/foundation.ts';
import { readSettings } from './cli/read-settings.ts';

/**
 * Each must have at least one of the 8 connections that a webhook receiver is promised to be spared
 * more of (delivery §1, promise 8); beyond eight cores another machine is the next step.
 */
const MOST_PROCESSES = 8;

const migrate: Input<boolean> = {
  declare: () =>
    new Option('--no-migrate', 'do not change the database; it must have this version’s schema'),
  absent: true,
};

/** `payreq serve`: runs the service until it must stop. */
export const serveCommand = defineTool({
  summary: 'run the service until SIGINT or SIGTERM; migrates the database first',
  options: {
    roles: usual('api,background', '<list>', 'the roles of this process: api, background, or both'),
    processes: usual(
      '1',
      '<n>',
      `number of processes that share the port, 1 to ${MOST_PROCESSES}: at most one a core`,
    ),
    migrate,
  },
  async run({ roles: list, processes: text, migrate: migrates }, shell) {
    // The other commands need not load the whole service.
    const [{ serve }, { ROLES }] = await Promise.all([
      import('#main.ts'),
      import('#compose/foundation.ts'),
    ]);
    const roles = [...new Set(list.split(',').map((role) => role.trim()))];
    const isRole = (role: string): role is Role => (ROLES as readonly string[]).includes(role);
    if (!roles.every(isRole)) {
      throw new UsageFault(`--roles takes ${ROLES.join(' and ')}, separated by a comma`);
    }
    const processes = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
    if (!(processes >= 1 && processes <= MOST_PROCESSES)) {
      throw new UsageFault(`--processes takes a whole number from 1 to ${MOST_PROCESSES}`);
    }
    await serve(readSettings(shell), { roles: roles.filter(isRole), processes, migrates });
  },
});
