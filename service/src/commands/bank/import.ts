import { Command } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { processFile } from '#e-transfer/bank-transfer/files/process-files.ts';
import { readWholeFile } from '#e-transfer/bank-transfer/files/read-whole-file.ts';
import { processDepsOf } from '#e-transfer/bank-transfer/process-deps.ts';
import { StatementFault } from '#e-transfer/bank-transfer/statements/statement-fault.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { withBank } from './with-bank.ts';

/** `payreq bank import`: one file, to its end; the folder is neither used nor checked. */
export function bankImportCommand(invocation: Invocation): Command {
  return new Command('import')
    .description('take one file of a bank: read it, match its money, and report the result')
    .argument('<file>', 'the path of a camt.052, camt.053, camt.054 or pain.002 file')
    .addOption(jsonOption())
    .action(async (path: string, options: { json?: boolean }, command: Command) => {
      const bytes = await readBytes(path);
      const outcome = await withBank(invocation, command, ({ bank, surroundings }) =>
        processFile(processDepsOf(surroundings, bank), bytes),
      );
      if (outcome.isRefused) {
        const { fileId, reason } = outcome;
        printResult(invocation, options, { fileId, isRefused: true, reason }, [
          `Refused: ${reason}`,
          'Nothing of the file counts. Its bytes are kept, encrypted.',
        ]);
        invocation.fail();
        return;
      }
      const { fileId, isNew } = outcome;
      printResult(invocation, options, { fileId, isRefused: false, isNew }, [
        isNew ? 'Imported and matched.' : 'The file was imported before: nothing has changed.',
      ]);
    });
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    return (await readWholeFile(path)).bytes;
  } catch (error) {
    if (error instanceof StatementFault) throw new OperatorFault(error.message);
    const { code = 'not a regular file' } = error as NodeJS.ErrnoException;
    throw new OperatorFault(`The file cannot be read (${code}).`);
  }
}
