-- A database that was restored to an earlier moment gives the numbers of its transactions, and the
-- positions in them, out again. A cursor from after that moment would then name a place that other
-- rows have meanwhile, and would skip them without a word. So every position has random bits: a
-- place exists in one history only, and a cursor without its place is refused (decision 0063).
--
-- 43 bits count, 20 bits are random. Positions order the rows of one transaction; rows that exist
-- keep theirs. The previous version names no position when it inserts, and reads it as a number.
create sequence commit_positions;
create function commit_position() returns bigint language sql volatile as $$
  select (nextval('commit_positions') << 20) + floor(random() * 1048576)::bigint
$$;

alter table webhook_events alter column feed_position drop identity;
alter table webhook_events alter column feed_position set default commit_position();
alter table ledger_entries alter column position drop identity;
alter table ledger_entries alter column position set default commit_position();

-- A role that may insert rows may draw positions: payreq migrate grants rights only after the
-- migrations, and the processes of the previous version insert in between.
do $$
declare
  grantee text;
begin
  for grantee in
    select distinct case when a.grantee = 0 then 'public' else quote_ident(r.rolname) end
    from pg_class c, aclexplode(c.relacl) a left join pg_roles r on r.oid = a.grantee
    where c.oid = 'webhook_events'::regclass and a.privilege_type = 'INSERT'
  loop
    execute format('grant usage on sequence commit_positions to %s', grantee);
  end loop;
end $$;

-- The newest transaction of whose events at least one was pruned: a place up to it may be gone, and
-- its cursor is still good. Ledger entries are never deleted.
create table webhook_events_pruned (
  only_row       boolean primary key default true check (only_row),
  transaction_id xid8 not null
);
-- Events were pruned before this table was made: everything below the oldest that is kept.
insert into webhook_events_pruned (transaction_id)
select coalesce((min(transaction_id::text::bigint) - 1)::text::xid8, pg_current_xact_id())
from webhook_events;

-- The function runs as the owner: the runtime role gets its right to write the table only after the
-- migrations.
create function note_pruned_events() returns trigger language plpgsql
security definer as $$
begin
  update webhook_events_pruned set transaction_id = newest.transaction_id
  from (select max(transaction_id) as transaction_id from gone) newest
  where newest.transaction_id > webhook_events_pruned.transaction_id;
  return null;
end $$;
create trigger webhook_events_note_pruned after delete on webhook_events
  referencing old table as gone for each statement execute function note_pruned_events();
-- Temporary tables last: none can replace the table for a function that runs as the owner.
do $$ begin
  execute format('alter function note_pruned_events() set search_path = %I, pg_temp',
                 current_schema());
end $$;

insert into schema_compatibility (schema, works_with) values (42, 15);
