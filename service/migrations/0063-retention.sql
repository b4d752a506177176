-- What is older than the horizon of retention is deleted (contract §10, decision 0104).

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

-- The sums of the entries that retention deleted, for the reports of their days. They stay for ever:
-- the ledger and these sums together open each report.
create table ledger_pruned_sums (
  -- Empty: money that no merchant can be named for.
  merchant_id  text collate "C" not null,
  -- The booking date; without it the day of created_at, in the TIME_ZONE of the deletion.
  day          date not null,
  type         text not null,
  currency     text not null,
  entries      bigint not null check (entries > 0),
  amount_cents bigint not null,
  primary key (merchant_id, day, type, currency)
);

-- The newest transaction of whose entries at least one was deleted: a place up to it may be gone,
-- and its cursor is still good.
create table ledger_pruned (
  only_row       boolean primary key default true check (only_row),
  transaction_id xid8 not null default '0'
);
insert into ledger_pruned default values;

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

-- Only retention deletes entries. It announces itself by a setting of its transaction, and never
-- deletes an entry of the last year.
create or replace function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('payment_requests.retention', true) = 'on'
     and old.created_at <= service_now() - interval '1 year' then
    return old;
  end if;
  raise exception 'the ledger only grows: write an ADJUSTMENT'
    using errcode = 'check_violation', constraint = 'ledger_entries_append_only';
end $$;
drop trigger ledger_entries_append_only on ledger_entries;
create trigger ledger_entries_append_only before update or delete on ledger_entries
  for each row execute function refuse_ledger_change();

-- The deletion of a case looks for refunds of it, also for failed ones.
create index refunds_by_case on refunds (operator_case_id) where operator_case_id is not null;

-- Code of the previous version deletes nothing, and its reports leave out what was deleted: money of
-- more than seven years ago (decision 0104).
insert into schema_compatibility (schema, works_with) values (63, 15);
