import { actOrPropose } from '#approvals/act-or-propose.ts';
import { closeCase } from '#cases/close-case.ts';
import type { BankBooks } from '#console/money/bank-books.ts';
import type { CaseSettling, MoneyParts } from '#console/money/money-deps.ts';
import {
  describeMoney,
  findShownTransfers,
} from '#e-transfer/bank-transfer/entries/case-money-store.ts';
import { listUnmatchedEntries } from '#e-transfer/bank-transfer/entries/unmatched-store.ts';
import {
  readFile,
  readFileEntries,
  readFiles,
} from '#e-transfer/bank-transfer/files/read-files.ts';
import { closeDay } from '#e-transfer/bank-transfer/reconciliation/close-day.ts';
import { approvalDepsOf } from '../approvals/approval-deps.ts';
import type { Foundation } from '../foundation.ts';
import type { Parts } from '../parts.ts';

/** The needs of the console's pages of money. */
export function moneyPartsOf(foundation: Foundation, parts: Parts): MoneyParts {
  const { config } = foundation;
  const readsStatements = config.eTransferNetwork === 'bank-transfer';
  return {
    books: readsStatements ? bankBooksOf(foundation) : null,
    settling: caseSettlingOf(foundation, parts),
  };
}

function bankBooksOf({ db, config }: Foundation): BankBooks {
  return {
    files: (asked) => readFiles(db, asked),
    file: (id) => readFile(db, id),
    entries: (asked) => readFileEntries(db, asked),
    others: (limit) => listUnmatchedEntries(db, limit),
    closeDay: (day, mostMoney) => closeDay(db, day, mostMoney),
    describe: (references) => describeMoney(db, config.secretsKey, references),
    shown: (ids) => findShownTransfers(db, ids),
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
        case 'close': {
          const result = await closeCase({ ...deps, actor }, caseId, act.note);
          return { status: 'DONE', result };
        }
      }
    },
  };
}
