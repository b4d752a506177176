import { AT, hash, ID, type RowsOfPart } from './rows-of-part.ts';

export const CONSOLE_OPERATOR_ROWS: RowsOfPart = {
  valid: {
    credential_uses: { credential_id: ID, used_at: AT },
    doctor_runs: { ran_at: AT, actor: 'Ada', version: '1', took_ms: 0, checks: '[]' },
    audit_verifications: {
      actor: 'Ada',
      started_at: AT,
      updated_at: AT,
      start_position: 1,
      start_hash: hash(32),
      head_position: 1,
      head_hash: hash(32),
      entries: 1,
      faults: '{a}',
      fault_count: 1,
      is_complete: true,
    },
  },
  breaks: {
    doctor_runs_only_row_check: [{ only_row: false }],
    doctor_runs_actor_check: [{ actor: '' }, { actor: 'a'.repeat(201) }],
    doctor_runs_took_ms_check: [{ took_ms: -1 }],
    doctor_runs_checks_check: [{ checks: '{}' }],
    audit_verifications_only_row_check: [{ only_row: false }],
    audit_verifications_actor_check: [{ actor: '' }, { actor: 'a'.repeat(201) }],
    audit_verifications_check: [{ updated_at: '2026-03-01T11:59:59Z' }],
    audit_verifications_start_position_check: [{ start_position: -1 }],
    audit_verifications_start_hash_check: [{ start_hash: hash(31) }],
    audit_verifications_check1: [{ head_position: 0 }],
    audit_verifications_head_hash_check: [{ head_hash: hash(33) }],
    audit_verifications_entries_check: [{ entries: -1 }],
    audit_verifications_check2: [{ fault_count: 0 }],
  },
  twins: {},
};
