-- The audit log becomes a chain: each entry's hash covers the entry and the hash before it, so that a
-- changed, deleted or inserted entry is found (payreq audit verify, decision 0034). The database
-- chains, not the code: every writer's entry is chained, also an entry of the previous version.

-- The position counts without a gap, in the order of the chain; a rolled back transaction leaves a gap
-- in "id".
alter table audit_log add column position bigint;
-- SHA-256 of the previous hash and the entry's content.
alter table audit_log add column hash bytea;

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

-- Chains the existing entries, in the order of their writes.
do $$
declare
  entry audit_log;
  head audit_log_head;
begin
  select * into strict head from audit_log_head;
  for entry in select * from audit_log order by id loop
    head.position := head.position + 1;
    entry.position := head.position;
    head.hash := sha256(head.hash || convert_to(audit_entry_content(entry), 'UTF8'));
    update audit_log set position = head.position, hash = head.hash where id = entry.id;
  end loop;
  update audit_log_head set position = head.position, hash = head.hash;
  -- The search path has temporary tables last: no temporary table can replace the head for a function
  -- that runs as the owner.
  execute format('alter function chain_audit_entry() set search_path = %I, pg_temp',
                 current_schema());
  execute format('alter function refuse_audit_change() set search_path = %I, pg_temp',
                 current_schema());
end $$;

alter table audit_log alter column position set not null, alter column hash set not null;
alter table audit_log add constraint audit_log_one_chain unique (position);

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
-- Indexes of an operator's list, by merchant and by time.
create index audit_log_of_merchant on audit_log (merchant_id, position) where merchant_id is not null;
create index audit_log_by_time on audit_log (occurred_at);

-- The trigger also chains entries that code of the previous version inserts (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (21, 15);
