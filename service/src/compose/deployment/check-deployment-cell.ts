import { type Config, ConfigFaults } from '#config.ts';
import { cellMark } from '#lib/cells/cell-mark.ts';
import { type AuditedDeps, recordAct } from '#merchants/audit-log-store.ts';
import { findDeployment, hasMerchants, lockDeployment, recordCell } from './deployment-store.ts';

/**
 * Records the cell at the first use of the database, and compares it with `CELL` at every other
 * (decision 0062). Commands check too: they make names that carry the mark. Another cell is
 * recorded only while no merchant exists.
 *
 * @throws ConfigFaults where names of merchants carry the recorded cell's mark
 */
export async function checkDeploymentCell(
  { db, clock, actor }: AuditedDeps,
  { cell }: Pick<Config, 'cell'>,
): Promise<void> {
  // All uses but the first need no lock.
  if ((await findDeployment(db)).cell === cell) return;
  await db.transaction(async (tx) => {
    const { cell: recorded } = await lockDeployment(tx);
    if (recorded === cell) return;
    if (recorded === null) return recordCell(tx, cell);
    if (await hasMerchants(tx)) throw new ConfigFaults([otherCell(recorded, cell)]);
    await recordCell(tx, cell);
    await recordAct(tx, { clock, actor }, 'DEPLOYMENT_CELL_CHANGED', null, {
      from: recorded,
      to: cell,
    });
  });
}

function otherCell(recorded: number, cell: number): string {
  const mark = cellMark(recorded);
  return (
    `CELL is ${cell}, and this database belongs to cell ${recorded}: user names, API keys and ` +
    `links of its merchants carry ${mark === '' ? 'no mark' : `the mark ${mark}`}. ` +
    `Set CELL=${recorded}, or use another database.`
  );
}
