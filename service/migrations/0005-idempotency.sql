-- The answers of calls that came with an Idempotency-Key, so that the same call sent again is
-- answered again and done once (contract, section 4). Written in the transaction that did the call:
-- either both are there or neither. Nothing is written before the work is done; while it runs an
-- advisory lock says so, and dies with its transaction.
--
-- The bodies hold payer data (name, e-mail, mobile number). They go after 72 hours by themselves;
-- erasing a payer must redact those that are left, found by the "id" in the body.
create table idempotency_answers (
  merchant_id text not null references merchants,
  -- As sent: 1 to 255 visible ASCII characters.
  key         text collate "C" not null check (length(key) between 1 and 255),
  -- SHA-256 of method, path and the body's bytes: what "the same call" means.
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  -- A refusal is not kept: the caller may put it right under the same key.
  status      smallint not null check (status between 200 and 399),
  -- json, not jsonb: given back in the order they were sent in.
  headers     json not null,
  body        text not null,
  created_at  timestamptz not null default service_now(),
  primary key (merchant_id, key)
);
-- Oldest first: what may be pruned.
create index idempotency_answers_by_age on idempotency_answers (created_at);
