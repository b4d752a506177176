-- Each change of access, destinations and money, with its actor: kept 7 years, read by people. It is a
-- chain: each entry's hash covers the entry and the hash before it, so that a changed, deleted or
-- inserted entry is found (payreq audit verify, decision 0034). The database chains, not the code, so
-- that every writer's entry is chained.
create table audit_log (
  id          bigint generated always as identity primary key,
  occurred_at timestamptz not null default now(),
  actor       text not null,
  action      text not null,
  merchant_id text collate "C",
  details     jsonb not null default '{}',
  -- Counts without a gap, in the order of the chain; a rolled back transaction leaves a gap in "id".
  position    bigint not null,
  -- SHA-256 of the previous hash and the entry's content.
  hash        bytea not null,
  constraint audit_log_one_chain unique (position)
);
-- Indexes of an operator's list, by merchant and by time.
create index audit_log_of_merchant on audit_log (merchant_id, position) where merchant_id is not null;
create index audit_log_by_time on audit_log (occurred_at);
-- Its filter by a part of an actor's name, which may be rare.
create index audit_log_actors on audit_log using gin (lower(actor) gin_trgm_ops);
-- The acts of people on a payment request, for its timeline: details name its id, or its refund's or
-- case's.
create index audit_log_details on audit_log using gin (details jsonb_path_ops);

-- The end of the chain, a single row. Its lock lets one writer at a time append; a writer with an older
-- snapshot fails instead of forking the chain. The row reveals a deleted tail.
create table audit_log_head (
  only_row boolean primary key default true check (only_row),
  position bigint not null,
  hash     bytea not null check (octet_length(hash) = 32)
);
insert into audit_log_head (position, hash) values (0, decode(repeat('00', 32), 'hex'));

-- Places of the chain, signed with the deployment's SECRETS_KEY. Verifying begins at the last
-- checkpoint that a prune left (is_start). A checkpoint reveals a chain that was computed again before
-- it.
create table audit_checkpoints (
  position   bigint primary key,
  hash       bytea not null check (octet_length(hash) = 32),
  is_start   boolean not null,
  created_at timestamptz not null,
  -- HMAC-SHA-256 under a key derived from SECRETS_KEY, which the database does not know.
  signature  bytea not null check (octet_length(signature) = 32)
);

-- The bytes that an entry's hash covers: each value as its length in bytes, a colon and the text; an
-- absent value as a hyphen. The lengths prevent that two different entries have equal content.
create function audit_entry_content(entry audit_log) returns text language sql stable as $$
  select string_agg(
    coalesce(octet_length(convert_to(value, 'UTF8')) || ':' || value, '-'), ',' order by nth)
  from unnest(array[
    entry.position::text, entry.id::text,
    (extract(epoch from entry.occurred_at) * 1000000)::bigint::text,
    entry.actor, entry.action, entry.merchant_id, entry.details::text
  ]) with ordinality as field (value, nth)
$$;

create function chain_audit_entry() returns trigger language plpgsql security definer as $$
declare
  head audit_log_head;
begin
  select * into strict head from audit_log_head for update;
  new.position := head.position + 1;
  new.hash := sha256(head.hash || convert_to(audit_entry_content(new), 'UTF8'));
  update audit_log_head set position = new.position, hash = new.hash;
  return new;
end $$;

-- Only a prune deletes entries, and only entries before a checkpoint. A prune announces itself by a
-- setting of its transaction, so that a DELETE by mistake is refused even if the service's role owns
-- the table.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and tg_table_name = 'audit_log'
     and current_setting('payment_requests.audit_prune', true) = 'on'
     and exists (select from audit_checkpoints where is_start and position >= old.position) then
    return old;
  end if;
  -- The chaining trigger's own update of the head.
  if tg_op = 'UPDATE' and tg_table_name = 'audit_log_head' and pg_trigger_depth() > 1 then
    return new;
  end if;
  raise exception 'the audit log only grows: % on % is refused', tg_op, tg_table_name
    using errcode = 'insufficient_privilege';
end $$;

-- The search path has temporary tables last: no temporary table can replace the head for a function
-- that runs as the owner.
do $$ begin
  execute format('alter function chain_audit_entry() set search_path = %I, pg_temp',
                 current_schema());
  execute format('alter function refuse_audit_change() set search_path = %I, pg_temp',
                 current_schema());
end $$;

create trigger audit_log_chain before insert on audit_log
  for each row execute function chain_audit_entry();
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_audit_change();
create trigger audit_log_no_truncate before truncate on audit_log
  for each statement execute function refuse_audit_change();
create trigger audit_log_head_chained before insert or update or delete on audit_log_head
  for each row execute function refuse_audit_change();
create trigger audit_log_head_no_truncate before truncate on audit_log_head
  for each statement execute function refuse_audit_change();

-- The verification of the audit log that an operator runs on the console, step by step: a row holds
-- how far the last one came, so that no request has to read the whole log.
create table audit_verifications (
  only_row       boolean primary key default true check (only_row),
  actor          text not null check (length(actor) between 1 and 200),
  started_at     timestamptz not null,
  updated_at     timestamptz not null check (updated_at >= started_at),
  start_position bigint not null check (start_position >= 0),
  start_hash     bytea not null check (length(start_hash) = 32),
  head_position  bigint not null check (head_position >= start_position),
  head_hash      bytea not null check (length(head_hash) = 32),
  entries        bigint not null check (entries >= 0),
  faults         text[] not null,
  fault_count    integer not null check (fault_count >= cardinality(faults)),
  is_complete    boolean not null
);
