/**
 * The files of `service/src` that write each table: all of a folder (`webhooks/`), or a file
 * without its ending. A statement in any other file is a writer that nobody expects.
 */
export const TABLE_WRITERS: Readonly<Record<string, string>> = {
  // A status, its event and its webhooks are written by one file; the sums grow with refunds.
  payment_requests: `payment-requests/create/insert-store payment-requests/change/update-store
    payment-requests/status/status-store payment-requests/status/expiry-store
    payment-requests/erasure/payer-erasure-store refunds/status/status-store
    retention/request-store`,
  payment_request_moves: 'payment-requests/status/status-store retention/request-store',
  payment_request_timeline: `payment-requests/timeline/timeline-store
    payment-requests/erasure/payer-erasure-store retention/request-store`,
  payment_request_texts: 'payment-requests/search-texts/text-store retention/request-store',
  payment_request_text_progress: 'payment-requests/search-texts/text-store',
  operator_cases: `payment-requests/status/operator-case-store cases/case-store
    retention/aged-store retention/request-store`,
  payer_erasures: 'payment-requests/erasure/waiting-store retention/request-store',
  network_requests: 'payment-requests/network/ retention/request-store',
  refunds: `refunds/status/status-store refunds/network/poll-store cases/payer-erasure-store
    retention/request-store`,
  refund_events: 'refunds/status/status-store retention/request-store',
  refund_days: 'refunds/status/status-store',
  spent_refund_ids: 'refunds/spent-ids/spent-id-store',
  retention_keys: 'refunds/spent-ids/spent-id-store commands/secrets/encrypted-store',
  // An entry is never changed.
  ledger_entries: 'ledger/record-store ledger/retention/prune-entries-store',
  'ledger_day_sums ledger_day_sums_progress ledger_pruned ledger_pruned_sums': 'ledger/',
  'payment_counters payment_counter_times payment_counter_versions payment_counter_progress':
    'counters/',
  'webhook_attempts webhook_destinations webhook_replays': 'webhooks/',
  'webhook_events webhook_deliveries': 'webhooks/ retention/request-store',
  webhook_endpoints: 'webhooks/ merchants/merchant-store commands/secrets/encrypted-store',
  'gateway_payments gateway_refunds': 'e-transfer/simulated-network/ retention/request-store',
  gateway_sessions: 'e-transfer/simulated-network/',
  'bank_files bank_connections bank_connection_files': 'e-transfer/bank-transfer/',
  bank_tokens: 'e-transfer/bank-transfer/tokens/token-store',
  'bank_entries bank_movements': `e-transfer/bank-transfer/ commands/secrets/encrypted-store
    retention/aged-store retention/request-store`,
  bank_statements: 'e-transfer/bank-transfer/ retention/aged-store',
  'bank_file_parts bank_payment_files':
    'e-transfer/bank-transfer/ commands/secrets/encrypted-store',
  bank_refunds: `e-transfer/bank-transfer/ commands/secrets/encrypted-store
    retention/request-store`,
  bank_transfer_requests: 'e-transfer/bank-transfer/ retention/request-store',
  bank_etransfer_proofs: 'e-transfer/bank-transfer/etransfer/proof-store',
  creditor_account_keys:
    'merchants/accounts/account-store e-transfer/bank-transfer/entries/staging-store',
  creditor_accounts: 'merchants/accounts/account-store',
  merchants: 'merchants/ commands/secrets/encrypted-store',
  'merchant_logos merchant_notices merchant_profiles api_credentials': 'merchants/',
  'credential_uses payment_request_streams': 'merchants/',
  'api_credential_passwords api_keys': 'merchants/credentials/credential-store access/access-store',
  signing_keys: 'access/signing-keys/key-store commands/secrets/encrypted-store',
  // The audit log is chained: a deletion below a checkpoint is the only change.
  audit_log: 'merchants/audit-log-store audit/checkpoint-store',
  'audit_checkpoints audit_verifications': 'audit/',
  'console_saved_views console_sessions console_sign_in_links': 'console/',
  'proposals proposal_approvals': 'approvals/proposal-store retention/aged-store',
  sandbox_steps: 'sandbox/sandbox-step-store retention/request-store',
  sandbox_advances: 'sandbox/time/advance-store retention/request-store',
  retention_run: 'retention/run-store',
  idempotency_answers: 'idempotency/ commands/secrets/rewrap-store',
  rate_limit_windows: 'rate-limits/rate-limit-store',
  untrusted_forwarders: 'telemetry/log/untrusted-forwarder-store',
  doctor_runs: 'doctor/last-run-store',
  database_restores: 'database/restores/restore-store',
  messages: 'messages/ retention/request-store',
  'message_channels message_inbox message_suppressions message_templates message_turns':
    'messages/',
  message_keys: 'messages/addresses/key-store commands/secrets/encrypted-store',
  // A row of settings that belong to the database, a column for each writer.
  deployment: `compose/deployment/deployment-store database/schema/migrate approvals/policy-store
    merchants/secrets-check-store merchants/credentials/check-store telemetry/health/health-store`,
  payment_request_transitions: 'database/schema/migrate',
  // Written by triggers and migrations alone; the events are a view.
  'audit_log_head schema_compatibility payment_request_events webhook_events_pruned': '',
};

/** Tables whose status is the work of one file. */
export const STATUS_WRITERS: Readonly<Record<string, string>> = {
  payment_requests: 'payment-requests/status/status-store',
  refunds: 'refunds/status/status-store',
};

/** Stores that may name a status in SQL, because no table of statuses can give the list. */
export const NAMED_STATUSES: Readonly<Record<string, string>> = {
  'e-transfer/bank-transfer/connection/sent-file-store': 'a network imports no feature',
  'e-transfer/bank-transfer/refunds-out/payment-file-store': 'a network imports no feature',
  'payment-requests/network/money/movement-store': 'refunds import payment requests',
  'payment-requests/timeline/timeline-store': 'refunds import payment requests',
  'webhooks/replays/replay-store': 'replays have statuses of their own',
  'messages/outbox/message-outbox': 'messages have statuses of their own',
};
