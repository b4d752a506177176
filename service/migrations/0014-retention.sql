-- Rows older than the horizon of retention are deleted (contract §10, decision 0104).

-- The run that deletes, or the last one. A run goes on where it was, in any process: its place and
-- its counts change in the transaction that deletes.
create table retention_run (
  only_row    boolean primary key default true check (only_row),
  -- A payment request goes when nothing has happened to it since this instant.
  horizon     timestamptz not null,
  actor       text not null check (length(actor) between 1 and 200),
  started_at  timestamptz not null,
  -- The kind of rows that the run deletes at the moment; see retention/prune.ts.
  phase       smallint not null default 0 check (phase >= 0),
  -- The last payment request that the run looked at.
  merchant_id text collate "C" not null default '',
  reached_at  timestamptz not null default '-infinity',
  reached_id  uuid not null default '00000000-0000-0000-0000-000000000000',
  -- How many rows of each kind were deleted.
  deleted     jsonb not null default '{}',
  -- Payment requests of that age that something keeps, such as an open case.
  kept        bigint not null default 0 check (kept >= 0),
  -- null: the run is under way.
  ended_at    timestamptz
);

-- Keys of this deployment alone, under SECRETS_KEY. refund-ids: keys the hashes of spent_refund_ids.
create table retention_keys (
  id            text collate "C" primary key check (id = 'refund-ids'),
  key_encrypted bytea not null
);

-- A merchantRefundId is used once for ever, also after its refund was deleted. HMAC-SHA-256: the id
-- may speak of a payer.
create table spent_refund_ids (
  merchant_id text collate "C" not null references merchants,
  id_hash     bytea not null check (octet_length(id_hash) = 32),
  primary key (merchant_id, id_hash)
);

-- Erasures of payers that something still keeps, such as a webhook that waits for its listener. A
-- background loop carries them out (decision 0105). A row goes with its erasure.
create table payer_erasures (
  payment_request_id uuid primary key references payment_requests,
  merchant_id        text collate "C" not null references merchants,
  because            text not null check
                       (because in ('NOT_OVER', 'WEBHOOK_OWED', 'REFUND_OPEN', 'CASE_OPEN')),
  asked_by           text not null check (length(asked_by) between 1 and 200),
  asked_at           timestamptz not null,
  -- By service_now().
  next_look_at       timestamptz not null
);
create index payer_erasures_due on payer_erasures (next_look_at);
