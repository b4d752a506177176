import type { Command } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { type NetworkDeployment, withNetwork } from '#commands/cli/with-network.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';

/** A deployment on bank transfer, and what its network may use. */
export type BankDeployment = NetworkDeployment;

/**
 * Runs a command's work on bank files, with the same parts that `payreq serve` has.
 *
 * @throws OperatorFault where the deployment has another network
 */
export function withBank<Result>(
  invocation: Pick<Invocation, 'env' | 'clock' | 'stderr'>,
  command: Command,
  work: (bank: BankDeployment) => Promise<Result>,
): Promise<Result> {
  return withNetwork(invocation, command, (deployment) => {
    if (deployment.eTransferNetwork === 'bank-transfer') return work(deployment);
    throw new OperatorFault(
      'This deployment has no bank: E_TRANSFER_NETWORK is not bank-transfer.',
    );
  });
}
