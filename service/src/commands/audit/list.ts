import { Command, Option } from 'commander';
import { entryMembers } from '#audit/entry-members.ts';
import { listAudit } from '#audit/read-store.ts';
import { alignColumns } from '#commands/cli/align-columns.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { readInstant, readLimit, readPosition } from './options.ts';

/** A statement reads so many rows in milliseconds; `audit export` gives all. */
const MOST_LISTED = 1_000;

interface Options {
  readonly merchant?: string;
  readonly action?: string;
  readonly actor?: string;
  readonly since?: Date;
  readonly until?: Date;
  readonly before?: string;
  readonly limit: number;
  readonly json?: boolean;
}

/** `payreq audit list`: the latest entries of the audit log. */
export function auditListCommand(invocation: Invocation): Command {
  return new Command('list')
    .description('list acts on access and destinations, the newest first')
    .option('--merchant <id>', 'entries about this merchant')
    .option('--action <name>', 'entries of this action, as in PAYER_ERASED')
    .option('--actor <text>', 'entries whose actor contains this text, in any case')
    .option('--since <instant>', 'entries of this day or instant, and later', readInstant)
    .option('--until <instant>', 'entries before this day or instant', readInstant)
    .option('--before <position>', 'entries before this position, to continue', readPosition)
    .addOption(
      new Option('--limit <n>', `number of entries, at most ${MOST_LISTED}`)
        .argParser(readLimit(MOST_LISTED))
        .default(50),
    )
    .addOption(jsonOption())
    .action(async (options: Options, command: Command) => {
      const found = await withDeployment(invocation, command, ({ db }) =>
        listAudit(db, {
          before: options.before ?? null,
          merchantId: options.merchant ?? null,
          action: options.action ?? null,
          actor: options.actor ?? null,
          since: options.since ?? null,
          until: options.until ?? null,
          limit: options.limit,
        }),
      );
      const entries = found.map(entryMembers);
      const rows = entries.map((entry) => [
        `${entry.position}`,
        entry.occurredAt,
        entry.actor,
        entry.action,
        entry.merchantId ?? '-',
        JSON.stringify(entry.details),
      ]);
      const lines = rows.length > 0 ? alignColumns(rows) : ['No entry matches.'];
      printResult(invocation, options, { entries }, lines);
    });
}
