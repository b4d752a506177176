import type { Executor, Statement } from '#database/database.ts';
import { allValues, execute } from '#database/statements.ts';
import type { Act, ActKind } from './model/act.ts';
import {
  type Approval,
  MERCHANTS_ACTS,
  type Proposal,
  type ProposalOutcome,
  type ProposalStatus,
  type Subject,
} from './model/proposal.ts';

const COLUMNS = `p.id::text, p.kind, p.params, p.merchant_id AS "merchantId",
  p.amount_cents AS "amountCents", p.facts_before AS "factsBefore",
  p.facts_after AS "factsAfter", p.payload_hash AS "payloadHash", p.status, p.proposer,
  p.proposer_issuer AS issuer, p.proposer_subject AS subject, p.proposed_at AS "proposedAt",
  p.expires_at AS "expiresAt", p.approved_at AS "approvedAt", p.ended_at AS "endedAt",
  p.ended_by AS "endedBy", p.reason, p.outcome, coalesce((
  SELECT json_agg(json_build_object('actor', a.approver, 'issuer', a.issuer,
           'subject', a.subject, 'at', (extract(epoch FROM a.approved_at) * 1000)::bigint)
           ORDER BY a.approved_at)
  FROM proposal_approvals a WHERE a.proposal_id = p.id), '[]') AS approvals`;

/** A second proposal about an open matter inserts nothing, and so does a repeated one. */
const INSERT: Statement = {
  name: 'proposal-insert',
  text: `INSERT INTO proposals (id, kind, target, merchant_id, amount_cents, params, facts_before,
           facts_after, payload_hash, proposer, proposer_issuer, proposer_subject, proposed_at,
           expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
         ON CONFLICT DO NOTHING RETURNING id::text`,
};

const FIND: Statement = {
  name: 'proposal-find',
  text: `SELECT ${COLUMNS} FROM proposals p WHERE p.id = $1`,
};

const FIND_OPEN: Statement = {
  name: 'proposal-find-open',
  text: `SELECT ${COLUMNS} FROM proposals p
         WHERE p.target = $1 AND p.status IN ('WAITING', 'APPROVED')`,
};

const LOCK: Statement = {
  name: 'proposal-lock',
  text: 'SELECT id FROM proposals WHERE id = $1 FOR UPDATE',
};

/** A page or two of a screen; the audit log holds all. */
export const MOST_LISTED = 100;

/**
 * $1: merchants whose own acts the reader may see; null: all acts of all merchants. Open proposals
 * come by themselves, so that ended ones never push them out of the list.
 */
const LIST: Statement = {
  name: '',
  text: `SELECT ${COLUMNS} FROM proposals p
         WHERE ($1::text[] IS NULL OR (p.merchant_id = ANY ($1)
             AND p.kind IN ('${MERCHANTS_ACTS.join("', '")}')))
           AND (p.status IN ('WAITING', 'APPROVED')) = $2
           AND ($3::text IS NULL OR p.merchant_id = $3)
         ORDER BY p.id DESC LIMIT ${MOST_LISTED}`,
};

interface Row {
  readonly kind: ActKind;
  readonly params: object;
  readonly proposer: string;
  readonly issuer: string | null;
  readonly subject: string | null;
  readonly approvals: readonly (Subject & { readonly actor: string; readonly at: number })[];
}

function fromRow(row: Row): Proposal {
  const { proposer, issuer, subject, approvals, ...kept } = row;
  const isPerson = issuer !== null && subject !== null;
  return {
    ...kept,
    proposer: { actor: proposer, subject: isPerson ? { issuer, subject } : null },
    approvals: approvals.map(
      ({ actor, at, ...person }): Approval => ({
        ...{ actor, approvedAt: new Date(at) },
        subject: { issuer: person.issuer, subject: person.subject },
      }),
    ),
  } as unknown as Proposal;
}

/** @returns false: the id is used, or an open proposal is about the same matter */
export async function insertProposal(
  tx: Executor,
  target: string,
  proposal: Omit<Proposal, keyof Act> & Act,
): Promise<boolean> {
  const { id, kind, params, merchantId, amountCents, factsBefore, factsAfter } = proposal;
  const { payloadHash, proposer, proposedAt, expiresAt } = proposal;
  const { issuer = null, subject = null } = proposer.subject ?? {};
  const rows = await tx.query(INSERT, [
    ...[id, kind, target, merchantId, amountCents, JSON.stringify(params)],
    ...[factsBefore, factsAfter, payloadHash, proposer.actor, issuer, subject],
    ...[proposedAt, expiresAt],
  ]);
  return rows.length > 0;
}

export async function findProposal(db: Executor, id: string): Promise<Proposal | null> {
  const [row] = await db.query<Row>(FIND, [id]);
  return row ? fromRow(row) : null;
}

/** The open proposal about a matter. */
export async function findOpenProposal(db: Executor, target: string): Promise<Proposal | null> {
  const [row] = await db.query<Row>(FIND_OPEN, [target]);
  return row ? fromRow(row) : null;
}

/** Reads a proposal that no other transaction can change until this one ends. */
export async function lockProposal(tx: Executor, id: string): Promise<Proposal | null> {
  // Two statements: the second one sees what the lock's last holder committed.
  await tx.query(LOCK, [id]);
  return findProposal(tx, id);
}

export interface ListedProposals {
  /** Merchants whose own acts the reader may see; null: every act. */
  readonly merchantIds: readonly string[] | null;
  readonly isOpen: boolean;
  /** null: of every merchant that the reader may see. */
  readonly merchantId: string | null;
}

/** Newest first. */
export async function findProposals(
  db: Executor,
  { merchantIds, isOpen, merchantId }: ListedProposals,
): Promise<Proposal[]> {
  return (await db.query<Row>(LIST, [merchantIds, isOpen, merchantId])).map(fromRow);
}

export const insertApproval = execute(
  'proposal-insert-approval',
  `INSERT INTO proposal_approvals (proposal_id, issuer, subject, approver, approved_at)
   VALUES ($1, $2, $3, $4, $5)`,
  (id: string, { actor, subject, approvedAt }: Approval) => [
    id,
    subject.issuer,
    subject.subject,
    actor,
    approvedAt,
  ],
);

/** The approver's own process has the first turn. */
export const markApproved = execute<[id: string, at: Date]>(
  'proposal-mark-approved',
  `UPDATE proposals SET status = 'APPROVED', approved_at = $2, tried_at = service_now()
   WHERE id = $1`,
);

export interface ProposalEnd {
  readonly status: Exclude<ProposalStatus, 'WAITING' | 'APPROVED'>;
  readonly endedAt: Date;
  readonly endedBy?: string;
  readonly reason?: string;
  readonly outcome?: ProposalOutcome;
}

export const endProposal = execute(
  'proposal-end',
  `UPDATE proposals SET status = $2, ended_at = $3, ended_by = $4, reason = $5, outcome = $6
   WHERE id = $1`,
  (
    id: string,
    { status, endedAt, endedBy = undefined, reason = undefined, outcome = undefined }: ProposalEnd,
  ) => [id, status, endedAt, endedBy ?? null, reason ?? null, outcome ?? null],
);

/**
 * Approved acts that nobody has tried for some seconds; the caller has the next turn.
 *
 * A proposal that keeps failing lets the others pass. Reads the index proposals_to_execute.
 */
export const claimApproved = allValues<string, [pauseSeconds: number, most: number]>(
  'proposal-claim-approved',
  `UPDATE proposals SET tried_at = service_now()
   WHERE id IN (SELECT id FROM proposals
     WHERE status = 'APPROVED' AND tried_at <= service_now() - make_interval(secs => $1)
     ORDER BY approved_at LIMIT $2 FOR UPDATE SKIP LOCKED)
   RETURNING id::text`,
);

/** Reads the index proposals_waiting. */
export const lockExpired = allValues<string, [most: number]>(
  'proposal-lock-expired',
  `SELECT id::text FROM proposals WHERE status = 'WAITING' AND expires_at <= service_now()
   ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED`,
);
