import { Command } from 'commander';
import { findCase } from '#cases/case-store.ts';
import { CASE_KINDS, SETTLEMENTS } from '#cases/model/case-kinds.ts';
import type { OperatorCase } from '#cases/model/operator-case.ts';
import { readLeftCents } from '#cases/read/read-left.ts';
import { alignColumns } from '#commands/cli/align-columns.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import type { Executor } from '#database/database.ts';
import { isId } from '#lib/new-id.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { stateOf, toEntry } from './list.ts';
import { CASE_ARGUMENT } from './settle.ts';

/** `payreq cases show`: what a case is about, and how it can be settled. */
export function casesShowCommand(invocation: Invocation): Command {
  return new Command('show')
    .description('print a case with its meaning and the ways to settle it')
    .argument(...CASE_ARGUMENT)
    .addOption(jsonOption())
    .action(async (id: string, options: { json?: boolean }, command: Command) => {
      const { found, leftCents } = await withDeployment(invocation, command, ({ db }) =>
        readShown(db, id),
      );
      if (!found) throw new OperatorFault(`No case has the id ${id}.`);
      const { meaning, advice } = CASE_KINDS[found.kind];
      const left = leftCents === null ? {} : { leftCents };
      const result = { ...toEntry(found), ...left, meaning, advice, settlements: waysOf(found) };
      printResult(invocation, options, result, inWords(found, leftCents));
    });
}

async function readShown(db: Executor, id: string) {
  const found = isId(id) ? await findCase(db, id) : null;
  return { found, leftCents: found && (await readLeftCents(db, found)) };
}

function waysOf({ kind }: OperatorCase): string[] {
  return [...CASE_KINDS[kind].allows, 'CLOSED' as const].map((each) => SETTLEMENTS[each]);
}

function inWords(found: OperatorCase, leftCents: number | null): string[] {
  const { meaning, advice } = CASE_KINDS[found.kind];
  return alignColumns([
    ['Case', found.id],
    ['Kind', found.kind],
    ['Meaning', meaning],
    ['State', stateOf(found)],
    ['Opened', found.openedAt.toISOString()],
    ['Payment request', found.paymentRequestId ?? '–'],
    ['Merchant', found.merchantId ?? '–'],
    ...Object.entries(found.details).map(([name, value]) => [name, textOf(value)]),
    ...(leftCents === null ? [] : [['leftCents', `${leftCents}`] as const]),
    ['Advice', advice],
    ['Settle it by', waysOf(found).join(', ')],
  ]);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
