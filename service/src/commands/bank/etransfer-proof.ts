import { defineCommand } from '#commands/cli/define-command.ts';
import { MERCHANT } from '#commands/cli/inputs.ts';
import { keepProof } from '#e-transfer/bank-transfer/etransfer/proof-store.ts';
import { newReference } from '#e-transfer/bank-transfer/references/new-reference.ts';
import { accountKeyOf, parseAccount } from '#lib/bank/account-number.ts';
import { newId } from '#lib/new-id.ts';
import { listAccounts } from '#merchants/accounts/set-account.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';

/** `payreq bank etransfer-proof`: payers see an Interac address after it (bank-connection §4). */
export const etransferProof = defineCommand({
  summary:
    'print the reference that proves a merchant’s Interac address: send 1.00 with it. Payers see ' +
    'the address once a statement of the account shows the reference',
  options: { merchant: MERCHANT },
  async run(deployment, { merchant: merchantId }) {
    const account = (await listAccounts(deployment, merchantId)).at(-1);
    if (!account?.etransferAddress || account.closedAt !== null) {
      throw new OperatorFault(
        'The merchant has no Interac address: payreq merchant set-account --etransfer-address.',
      );
    }
    const { address, reference, provenAt } = await keepProof(deployment.db, {
      id: newId(),
      account: accountKeyOf(parseAccount(account.accountNumber)),
      address: account.etransferAddress,
      reference: newReference(account.accountNumber),
    });
    return { merchantId, address, reference, provenDateTime: provenAt?.toISOString() ?? null };
  },
  print: ({ address, reference, provenDateTime }) =>
    provenDateTime === null
      ? `Send an Interac e-Transfer of 1.00 to ${address}, with ${reference} as its message.`
      : `Payers see ${address}: a statement has shown ${reference}.`,
});
