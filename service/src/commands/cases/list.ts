import { Command } from 'commander';
import { listCases } from '#cases/case-store.ts';
import type { OperatorCase } from '#cases/model/operator-case.ts';
import { alignColumns } from '#commands/cli/align-columns.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';

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

export function toEntry({ openedAt, closedAt, ...rest }: OperatorCase) {
  return {
    ...rest,
    openedDateTime: openedAt.toISOString(),
    closedDateTime: closedAt?.toISOString() ?? null,
  };
}

export function stateOf({ closedAt, settlement }: OperatorCase): string {
  return closedAt === null ? 'OPEN' : (settlement ?? 'CLOSED');
}

function inWords(cases: readonly OperatorCase[]): string[] {
  if (cases.length === 0) return ['There is no open case.'];
  return alignColumns(
    cases.map((each) => [
      each.id,
      stateOf(each),
      each.openedAt.toISOString().slice(0, 16),
      each.kind,
      each.paymentRequestId ?? '',
      JSON.stringify(each.details),
    ]),
  );
}
