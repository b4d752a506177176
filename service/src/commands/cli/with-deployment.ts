import type { Command } from 'commander';
import { checkKeys } from '#compose/check-keys.ts';
import { checkDeploymentCell } from '#compose/deployment/check-deployment-cell.ts';
import { refuseOtherCurrency } from '#compose/deployment/check-deployment-money.ts';
import type { Config } from '#config.ts';
import { connectDatabase, type Database } from '#database/database.ts';
import { WrongEnvironment } from '#database/schema/migrate.ts';
import type { Clock } from '#lib/clock.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { compareClocks } from '#telemetry/health/compare-clocks.ts';
import { findEnvironment } from './deployment-store.ts';
import type { Invocation } from './invocation.ts';
import { operatorOf } from './operator-name.ts';
import { readSettings } from './read-settings.ts';

/** Most commands run one transaction; a second connection is never needed. */
const POOL_SIZE = 1;

/** The needs of a command that changes or reads a deployment. */
export interface Deployment extends Config {
  readonly db: Database;
  readonly clock: Clock;
  /** The operator's name, for the audit log. */
  readonly actor: string;
}

/**
 * Runs a command's work on the deployment that the settings name, and lets go of it.
 *
 * @throws WrongEnvironment where the database belongs to the other environment (contract §2)
 * @throws ConfigFaults where the database was written with other keys, in another currency, or
 *   belongs to another cell
 * @throws OperatorFault where the database has no schema yet
 */
export async function withDeployment<Result>(
  invocation: Pick<Invocation, 'env' | 'clock'>,
  command: Command,
  work: (deployment: Deployment) => Promise<Result>,
  poolSize = POOL_SIZE,
): Promise<Result> {
  const config = readSettings(invocation, command);
  const db = connectDatabase({
    url: config.databaseUrl,
    poolSize,
    applicationName: 'payreq',
  });
  try {
    const environment = await findEnvironment(db);
    if (environment === null) {
      throw new OperatorFault('The database is not set up yet. Run payreq migrate first.');
    }
    if (environment !== config.environment) {
      throw new WrongEnvironment(environment, config.environment);
    }
    await checkKeys(db, config);
    await refuseOtherCurrency(db, config);
    // The command writes instants by the same clock as the service's processes.
    await compareClocks(db, invocation.clock);
    const { clock } = invocation;
    const actor = operatorOf(invocation, command);
    await checkDeploymentCell({ db, clock, actor }, config);
    return await work({ ...config, db, clock, actor });
  } finally {
    await db.close();
  }
}
