import { Command } from 'commander';
import { readPart } from '#cases/model/read-parts.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { MOST_PARTS, type MoneyPart } from '#e-transfer/money-parts.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { CASE_ARGUMENT, runSettlement } from './settle.ts';

interface Options {
  readonly part: readonly MoneyPart[];
  readonly note?: string;
  readonly json?: boolean;
}

/** `payreq cases split`: one transfer was meant for several payment requests. */
export function casesSplitCommand(invocation: Invocation): Command {
  return new Command('split')
    .description(
      `split the money of a case among 2 to ${MOST_PARTS} payment requests of its account, each ` +
        'part as if it had arrived for its own; the parts together are exactly the money',
    )
    .argument(...CASE_ARGUMENT)
    .requiredOption(
      '--part <id=amount>',
      'a payment request and its share, as in ID=12.34; give it once for each part',
      (text: string, before: readonly MoneyPart[] = []) => [...before, partOf(text)],
    )
    .option('--note <text>', 'the reason, for the audit log')
    .addOption(jsonOption())
    .action((id: string, options: Options, command: Command) =>
      runSettlement(invocation, command, options, {
        kind: 'CASE_SPLIT',
        params: { caseId: id, parts: options.part, note: options.note ?? null },
      }),
    );
}

function partOf(text: string): MoneyPart {
  const part = readPart(text);
  if (part) return part;
  throw new OperatorFault(`--part must be ID=AMOUNT, as in ID=12.34, and is "${text}".`);
}
