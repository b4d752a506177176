import { Command } from 'commander';
import { alignColumns } from '#commands/cli/align-columns.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { type ListedMerchant, listMerchants } from '#merchants/merchant-store.ts';

/** `payreq merchant list`: every merchant of this deployment. */
export function merchantListCommand(invocation: Invocation): Command {
  return new Command('list')
    .description('print all merchants')
    .addOption(jsonOption())
    .action(async (options: { json?: boolean }, command: Command) => {
      const merchants = await withDeployment(invocation, command, ({ db }) =>
        Array.fromAsync(listMerchants(db), toEntry),
      );
      printResult(invocation, options, { merchants }, inWords(merchants));
    });
}

function toEntry({ id, createdAt, ...merchant }: ListedMerchant) {
  return { merchantId: id, ...merchant, createdDateTime: createdAt.toISOString() };
}

function inWords(merchants: readonly ReturnType<typeof toEntry>[]): string[] {
  if (merchants.length === 0) return ['There is no merchant yet: payreq merchant create --help'];
  return alignColumns([
    ['MERCHANT ID', 'STATUS', 'CREATED', 'NAME'],
    ...merchants.map(({ merchantId, status, createdDateTime, name }) => [
      merchantId,
      status,
      createdDateTime.slice(0, 10),
      name,
    ]),
  ]);
}
