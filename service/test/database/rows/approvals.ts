import { AT, hash, ID, OTHER_ID, type RowsOfPart } from './rows-of-part.ts';

export const APPROVAL_ROWS: RowsOfPart = {
  valid: {
    proposals: {
      id: ID,
      kind: 'CASE_ACCEPT',
      target: 'case:1',
      params: '{}',
      facts_before: '{}',
      facts_after: '{}',
      payload_hash: hash(32),
      proposer: 'payreq (ada)',
      proposed_at: AT,
      expires_at: '2026-03-04T12:00:00Z',
    },
  },
  breaks: {
    deployment_approval_refunds_above_cents_check: [{ approval_refunds_above_cents: -1 }],
    proposals_approved: [{ status: 'APPROVED' }],
    proposals_ended: [{ status: 'DECLINED' }, { ended_at: AT }],
    proposals_kind_check: [{ kind: 'CASE_CLOSE' }],
    proposals_payload_hash_check: [{ payload_hash: hash(31) }, { payload_hash: hash(33) }],
    proposals_proposer: [{ proposer_issuer: 'https://id.example' }, { proposer_subject: 's' }],
    proposals_status_check: [{ status: 'LOST', ended_at: AT }],
    proposals_time: [{ expires_at: AT }],
  },
  twins: { proposals_open_target: { id: OTHER_ID } },
};
