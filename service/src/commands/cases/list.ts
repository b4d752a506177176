import { Command } from 'commander';
import { alignColumns } from '#commands/cli/align-columns.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { type ListedCase, listCases } from './notices-store.ts';

/** `payreq cases list`: what waits for a person. */
export function casesListCommand(invocation: Invocation): Command {
  return new Command('list')
    .description('print the open cases, newest first')
    .option('--all', 'closed cases, too')
    .addOption(jsonOption())
    .action(async (options: { all?: boolean; json?: boolean }, command: Command) => {
      const cases = await withDeployment(invocation, command, ({ db }) =>
        listCases(db, options.all ?? false),
      );
      printResult(invocation, options, { cases: cases.map(toEntry) }, inWords(cases));
    });
}

function toEntry({ openedAt, closedAt, ...rest }: ListedCase) {
  return {
    ...rest,
    openedDateTime: openedAt.toISOString(),
    closedDateTime: closedAt?.toISOString() ?? null,
  };
}

function inWords(cases: readonly ListedCase[]): string[] {
  if (cases.length === 0) return ['There is no open case.'];
  return alignColumns(
    cases.map(({ id, kind, paymentRequestId, details, openedAt, closedAt }) => [
      id,
      closedAt ? 'CLOSED' : 'OPEN',
      openedAt.toISOString().slice(0, 16),
      kind,
      paymentRequestId ?? '',
      JSON.stringify(details),
    ]),
  );
}
