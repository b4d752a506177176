import type { ShellSettings } from '#commands/cli/with-deployment.ts';
import { type NetworkDeployment, withNetwork } from '#commands/cli/with-network.ts';
import { NAMED_NETWORKS, networkNamed } from '#compose/networks.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';

/**
 * Runs a command's work on bank files, with the same parts that `payreq serve` has.
 *
 * @throws OperatorFault where the deployment has another network
 */
export function withBank<Result>(
  shell: ShellSettings,
  work: (bank: NetworkDeployment) => Promise<Result>,
): Promise<Result> {
  return withNetwork(shell, (deployment) => {
    if (networkNamed(deployment.eTransferNetwork)?.statements) return work(deployment);
    const names = NAMED_NETWORKS.flatMap(([name, { statements }]) => (statements ? [name] : []));
    throw new OperatorFault(
      `This deployment has no bank: E_TRANSFER_NETWORK is not ${names.join(' or ')}.`,
    );
  });
}
