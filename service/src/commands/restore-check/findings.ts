import { type ForgottenFile, listForgottenFiles } from '#commands/bank/forgotten-files.ts';
import type { NetworkDeployment } from '#commands/cli/with-network.ts';
import { networkNamed } from '#compose/networks.ts';
import { findEnd, findOpenRestore, type OpenRestore } from '#database/restores/restore-store.ts';
import type { KnownStatement } from '#e-transfer/network-statements.ts';
import { askNetwork, type NetworkFindings } from './ask-network.ts';
import { type AuditFindings, compareAuditExport } from './compare-audit-export.ts';
import {
  type Listed,
  listOpenRefundCases,
  listOpenRefunds,
  listUndelivered,
  type OpenRefund,
  type UndeliveredWebhook,
} from './outside-store.ts';

/** Facts that the outside world may know and the restored database does not. */
export interface Findings {
  /** null: no restore is open, and refunds leave. */
  readonly restore: OpenRestore | null;
  /** The latest instant that the database knows, or knew when the restore was noticed. */
  readonly endsAt: Date;
  /** null: there is no network to ask. */
  readonly network: NetworkFindings | null;
  /** null: no bank. */
  readonly statements: readonly KnownStatement[] | null;
  readonly webhooks: Listed<UndeliveredWebhook>;
  readonly refunds: Listed<OpenRefund>;
  readonly files: readonly ForgottenFile[];
  /** Cases of refunds that left without this database and that no operator has settled. */
  readonly cases: readonly string[];
  readonly audit: AuditFindings;
}

/** Collects all findings, and changes nothing. */
export async function collectFindings(
  deployment: NetworkDeployment,
  auditExport: string | null,
): Promise<Findings> {
  const { db, eTransferNetwork } = deployment;
  const bank = networkNamed(eTransferNetwork)?.statements;
  const restore = await findOpenRestore(db);
  const endsAt = restore?.endsAt ?? (await findEnd(db));
  return {
    restore,
    endsAt,
    audit: await compareAuditExport(db, auditExport),
    network: await askNetwork(deployment),
    statements: bank ? await bank.list(db) : null,
    webhooks: await listUndelivered(db, endsAt),
    refunds: await listOpenRefunds(db),
    files: await listForgottenFiles(deployment),
    cases: restore ? await listOpenRefundCases(db, restore.noticedAt) : [],
  };
}
