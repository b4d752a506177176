import type { FastifyInstance } from 'fastify';
import type { Executor } from '#database/database.ts';
import { BANK_TRANSFER } from '#e-transfer/bank-transfer/bank-description.ts';
import type {
  NetworkAccounts,
  NetworkDescription,
  ProgramSurroundings,
} from '#e-transfer/network-description.ts';
import { SIMULATED_NETWORK } from '#e-transfer/simulated-network/simulated-description.ts';
import type { Config } from '../config.ts';

/** The networks that E_TRANSFER_NETWORK can name (contract §1): add yours here. */
const NETWORKS: Readonly<
  Record<NonNullable<Config['eTransferNetwork']>, NetworkDescription<Config>>
> = {
  simulated: SIMULATED_NETWORK,
  'bank-transfer': BANK_TRANSFER,
};

/** Every network: a database may have been on another one before (decision 0051). */
export const ALL_NETWORKS = Object.values(NETWORKS);
export const NAMED_NETWORKS = Object.entries(NETWORKS);

/** The description of a network by its name; null: there is no network. */
export function networkNamed(name: string | null): NetworkDescription<Config> | null {
  return NAMED_NETWORKS.find(([each]) => each === name)?.[1] ?? null;
}

/** Whether payment links can be paid: a sandbox has no network. */
export function hasNetwork({ environment, eTransferNetwork }: Config): boolean {
  return environment !== 'sandbox' && eTransferNetwork !== null;
}

/** Finds which payment requests show the account of money; null: the network has no accounts. */
export function showingOf(config: Config): NetworkAccounts['findShowing'] | null {
  if (!hasNetwork(config)) return null;
  return networkNamed(config.eTransferNetwork)?.accounts?.findShowing ?? null;
}

/** Whether no real money moves; readiness, log and pages say so (contract §1, bank-transfer §6). */
export function isNetworkSimulated(config: Config): boolean {
  return networkNamed(config.eTransferNetwork)?.isSimulated(config) ?? false;
}

/** Finds payment requests whose money can go back to no account. */
export const unpayableOf =
  (config: Config) =>
  async (tx: Executor, ids: readonly string[]): Promise<ReadonlySet<string>> => {
    const network = hasNetwork(config) ? networkNamed(config.eTransferNetwork) : null;
    return (await network?.findUnpayable?.(tx, config, ids)) ?? new Set();
  };

/** The calls of programs at the operators' listener; null: the network has none. */
export async function programsOf(
  config: Config,
  deps: Pick<ProgramSurroundings, 'db' | 'clock'>,
): Promise<((app: FastifyInstance) => void) | null> {
  if (!hasNetwork(config)) return null;
  const register = await networkNamed(config.eTransferNetwork)?.programs?.(config);
  const { trustedProxies } = config;
  return register ? (app) => register(app, { ...deps, trustedProxies }) : null;
}

/** Whether the deployment can give money back; for commands, which run no network. */
export function canRefund(config: Config): boolean {
  if (config.environment === 'sandbox') return true;
  return networkNamed(config.eTransferNetwork)?.canRefund(config) ?? false;
}
