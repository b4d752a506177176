import { checkKeys } from '#compose/check-keys.ts';
import { checkDeploymentCell } from '#compose/deployment/check-deployment-cell.ts';
import { refuseOtherCurrency } from '#compose/deployment/check-deployment-money.ts';
import type { Config } from '#config.ts';
import { connectDatabase, type DatabaseDeps } from '#database/database.ts';
import { WrongEnvironment } from '#database/schema/migrate.ts';
import { readSchemaState } from '#database/schema/schema-state.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { compareClocks } from '#telemetry/health/compare-clocks.ts';
import { findEnvironment } from './deployment-store.ts';
import type { GlobalOptions } from './inputs.ts';
import type { Invocation } from './invocation.ts';
import { operatorOf } from './operator-name.ts';
import { readSettings } from './read-settings.ts';

/** Most commands run one transaction; a second connection is never needed. */
const POOL_SIZE = 1;

/** The part of a command's surroundings that opens a deployment. */
export type ShellSettings = Pick<Invocation, 'env' | 'clock'> & GlobalOptions;

/** The needs of a command that changes or reads a deployment. */
export interface Deployment extends DatabaseDeps, Config {
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
 * @throws SchemaFault where this version does not work with the database's schema
 */
export async function openDeployment<Result>(
  shell: ShellSettings,
  work: (deployment: Deployment) => Promise<Result>,
  poolSize = POOL_SIZE,
): Promise<Result> {
  const config = readSettings(shell);
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
    await readSchemaState(db);
    await checkKeys(db, config);
    await refuseOtherCurrency(db, config);
    // The command writes instants by the same clock as the service's processes.
    await compareClocks(db, shell.clock);
    const { clock } = shell;
    const actor = operatorOf(shell);
    await checkDeploymentCell({ db, clock, actor }, config);
    return await work({ ...config, db, clock, actor });
  } finally {
    await db.close();
  }
}
