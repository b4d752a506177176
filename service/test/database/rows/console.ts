import { AT, hash, ID, OTHER_ID, type RowsOfPart } from './rows-of-part.ts';

export const CONSOLE_ROWS: RowsOfPart = {
  valid: {
    console_sessions: {
      id_hash: hash(32),
      id: ID,
      kind: 'OIDC',
      issuer: 'https://id.test',
      subject: '1',
      name: 'Ada',
      grants: ['operator'],
      signed_in_at: AT,
      created_at: AT,
      seen_at: AT,
      ends_at: AT,
    },
    console_sign_in_links: {
      token_hash: hash(32),
      name: 'Ada',
      grant_text: 'operator',
      created_by: 'test',
      created_at: AT,
      expires_at: AT,
    },
  },
  breaks: {
    console_sessions_email_check: [{ email: '@' }, { email: 'x'.repeat(255) }],
    console_sessions_id_hash_check: [{ id_hash: hash(31) }],
    console_sessions_answer_hash_check: [{ answer_hash: hash(31) }],
    console_sessions_kind_check: [{ kind: 'PASSWORD' }],
    console_sessions_issuer_check: [{ issuer: '' }],
    console_sessions_time_zone_check: [{ time_zone: '' }, { time_zone: 'z'.repeat(65) }],
    console_sessions_subject_check: [{ subject: '' }],
    console_sessions_name_check: [{ name: '' }],
    console_sessions_grants_check: [{ grants: [] }],
    console_sign_in_links_token_hash_check: [{ token_hash: hash(31) }],
    console_sign_in_links_name_check: [{ name: '' }],
    console_sign_in_links_grant_text_check: [{ grant_text: '' }],
  },
  twins: {
    console_sessions_id_key: { id_hash: Buffer.alloc(32, 2) },
    console_sessions_answer_hash_key: [
      { answer_hash: hash(32) },
      { id_hash: Buffer.alloc(32, 2), id: OTHER_ID },
    ],
  },
};
