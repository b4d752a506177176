import { AT, hash, ID, OTHER_ID, type RowsOfPart } from './rows-of-part.ts';

const OVER = { next_attempt_at: null, ended_at: AT };

export const MESSAGE_ROWS: RowsOfPart = {
  valid: {
    messages: {
      id: ID,
      payment_request_id: ID,
      merchant_id: 'mer_1',
      kind: 'REQUEST',
      channel: 'EMAIL',
      due_at: AT,
      next_attempt_at: AT,
    },
    message_channels: { channel: 'EMAIL' },
    message_suppressions: {
      merchant_id: 'mer_1',
      channel: 'EMAIL',
      address_hash: hash(32),
      reason: 'OPTED_OUT',
      message_id: ID,
    },
    message_keys: { id: 'addresses', key_encrypted: hash(32) },
  },
  breaks: {
    messages_kind_check: [{ kind: 'ADVERTISEMENT' }],
    messages_number_check: [{ number: -1 }],
    messages_channel_check: [{ channel: 'PIGEON' }],
    messages_status_check: [{ status: 'LOST', ...OVER }],
    messages_reason_check: [{ reason: 'x'.repeat(41) }],
    messages_priority_check: [{ priority: 2 }, { priority: -1 }],
    messages_attempts_check: [{ attempts: -1 }],
    messages_address_hash_check: [{ address_hash: hash(31) }, { address_hash: hash(33) }],
    messages_language_check: [{ language: 'e' }, { language: 'eng' }],
    messages_content_hash_check: [{ content_hash: hash(31) }, { content_hash: hash(33) }],
    messages_due: [{ next_attempt_at: null }, { status: 'CANCELLED', ended_at: AT }],
    messages_end: [{ ended_at: AT }, { status: 'CANCELLED', next_attempt_at: null }],
    messages_sent: [
      { status: 'SENT', next_attempt_at: null },
      { status: 'DELIVERED', ...OVER },
    ],
    messages_lease: [{ lease_token: OTHER_ID }, { leased_until: AT }],
    messages_refund: [{ refund_id: ID }, { kind: 'REFUND_RECEIPT' }],
    message_channels_channel_check: [{ channel: 'PIGEON' }],
    message_channels_data_refusals_check: [{ data_refusals: -1 }],
    message_channels_claimed_check: [{ claimed: -1 }],
    message_channels_probe: [{ opened_at: AT }, { next_probe_at: AT }],
    message_suppressions_channel_check: [{ channel: 'PIGEON' }],
    message_suppressions_address_hash_check: [{ address_hash: hash(31) }],
    message_suppressions_reason_check: [{ reason: 'TIRED' }],
    message_keys_id_check: [{ id: 'others' }],
  },
  twins: { messages_number: { id: OTHER_ID } },
};
