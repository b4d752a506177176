import { AT, hash, type RowsOfPart } from './rows-of-part.ts';

export const RETENTION_ROWS: RowsOfPart = {
  valid: {
    retention_run: { only_row: true, horizon: AT, actor: 'Ada', started_at: AT },
    ledger_pruned: { only_row: true },
    ledger_pruned_sums: {
      ...{ merchant_id: 'mer_1', day: '2026-03-01', type: 'PAYMENT', currency: 'CAD' },
      ...{ entries: 1, amount_cents: 1 },
    },
    retention_keys: { id: 'refund-ids', key_encrypted: hash(32) },
    spent_refund_ids: { merchant_id: 'mer_1', id_hash: hash(32) },
    payer_erasures: {
      ...{ payment_request_id: '01890000-0000-7000-8000-000000000001', merchant_id: 'mer_1' },
      ...{ because: 'NOT_OVER', asked_by: 'Ada', asked_at: AT, next_look_at: AT },
    },
  },
  breaks: {
    retention_run_only_row_check: [{ only_row: false }],
    retention_run_actor_check: [{ actor: '' }, { actor: 'x'.repeat(201) }],
    retention_run_phase_check: [{ phase: -1 }],
    retention_run_kept_check: [{ kept: -1 }],
    ledger_pruned_only_row_check: [{ only_row: false }],
    ledger_pruned_sums_entries_check: [{ entries: 0 }],
    retention_keys_id_check: [{ id: 'other' }],
    spent_refund_ids_id_hash_check: [{ id_hash: hash(31) }],
    payer_erasures_because_check: [{ because: 'NONE' }],
    payer_erasures_asked_by_check: [{ asked_by: '' }, { asked_by: 'x'.repeat(201) }],
  },
  twins: {},
};
