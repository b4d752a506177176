import { createHash } from 'node:crypto';
import { actOrPropose } from '#approvals/act-or-propose.ts';
import { closeCase } from '#cases/close-case.ts';
import type { CaseSettling, MoneyParts } from '#console/money/money-deps.ts';
import type { FileActPolicy } from '#e-transfer/network-connection.ts';
import { Problem } from '#lib/problem.ts';
import { recordAct } from '#merchants/audit-log-store.ts';
import { approvalDepsOf } from '../approvals/approval-deps.ts';
import { refuseFileAct } from '../bank/refuse-file-act.ts';
import type { Foundation } from '../foundation.ts';
import type { Parts } from '../parts.ts';

/** The needs of the console's pages of money. */
export function moneyPartsOf(foundation: Foundation, parts: Parts): MoneyParts {
  const { config, clock, db } = foundation;
  const books = parts.connected?.network.books ?? null;
  const auditOf =
    (actor: string): FileActPolicy['audit'] =>
    (tx, action, details) =>
      recordAct(tx, { clock, actor }, action, null, details);
  const connection = () => {
    if (books) return books.connection;
    throw new Problem('ROUTE_NOT_FOUND');
  };
  return {
    books,
    settling: caseSettlingOf(foundation, parts),
    async actOnPaymentFile({ actor, viewer }, messageId, asked) {
      const by = { actor, isProven: viewer.kind === 'OIDC' };
      const policy = { needsTwo: config.approvals.isOn, audit: auditOf(actor) };
      return connection().act(messageId, asked, by, policy).catch(refuseFileAct);
    },
    async uploadBankFile({ actor }, bytes) {
      const { upload } = connection();
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      // First: no file without its person.
      await auditOf(actor)(db, 'BANK_FILE_UPLOADED', { sha256, sizeBytes: bytes.length });
      return upload(bytes);
    },
    async approveToken({ actor, viewer }, id) {
      const by = { actor, isProven: viewer.kind === 'OIDC' };
      await connection().approveToken(id, by, auditOf(actor)).catch(refuseFileAct);
    },
  };
}

/** Two people may have to stand behind a settlement that moves money. */
function caseSettlingOf({ config, db, clock }: Foundation, { refund }: Parts): CaseSettling {
  const deps = approvalDepsOf({ config, db, clock, refund });
  return {
    canRefund: deps.canRefund,
    async settle({ actor, viewer }, act, id) {
      const { kind, issuer, subject } = viewer;
      const by = { actor, subject: kind === 'OIDC' ? { issuer, subject } : null };
      const { caseId, note } = act;
      switch (act.act) {
        case 'accept':
          return actOrPropose(deps, by, { kind: 'CASE_ACCEPT', params: { caseId, note }, id });
        case 'assign': {
          const { paymentRequestId } = act;
          const params = { caseId, paymentRequestId, note };
          return actOrPropose(deps, by, { kind: 'CASE_ASSIGN', params, id });
        }
        case 'refund': {
          const params = { caseId, movement: act.movement, note };
          return actOrPropose(deps, by, { kind: 'CASE_REFUND', params, id });
        }
        case 'replace': {
          const params = { caseId, movement: act.movement, note };
          return actOrPropose(deps, by, { kind: 'CASE_REPLACE', params, id });
        }
        case 'split': {
          const params = { caseId, parts: act.parts, note };
          return actOrPropose(deps, by, { kind: 'CASE_SPLIT', params, id });
        }
        case 'close': {
          const result = await closeCase({ ...deps, actor }, caseId, act.note);
          return { status: 'DONE', result };
        }
      }
    },
  };
}
