-- A payment request is its own CREATED event: a creation writes one row, not two (decision 0079).
-- The table of events keeps what happens later, and the events of before. The view with the table's
-- old name shows both, so that the previous version reads and writes as before.

-- The number of the creating transaction places the CREATED event in the order of commits. null:
-- the row's CREATED event is stored. Operators of large tables build column and index beforehand
-- (docs/operations/upgrade.md).
alter table payment_requests add column if not exists creation_transaction xid8;
create index if not exists payment_requests_in_order on payment_requests (creation_transaction)
  where creation_transaction is not null;

alter table payment_request_events rename to payment_request_moves;

-- The planner looks through the view only while no part of the union has a condition of its own: a
-- page in the order of commits, or the events of many rows, are then read from indexes.
create view payment_request_events as
  select payment_request_id, position, status, cause, occurred_at, reason_code, request_id,
         transaction_id
  from (
    select payment_request_id, position, status, cause, occurred_at, reason_code, request_id,
           transaction_id, false as is_row
    from payment_request_moves
    union all
    select id, 1::smallint, 'CREATED', 'CREATED', created_at, null, null, creation_transaction, true
    from payment_requests) kinds
  where not is_row or transaction_id is not null;

-- The previous version stores the CREATED event of its creations, and the events of its moves.
create function keep_payment_request_event() returns trigger language plpgsql as $$
begin
  insert into payment_request_moves
    (payment_request_id, position, status, cause, occurred_at, reason_code, request_id)
  values (new.payment_request_id, new.position, new.status, new.cause, new.occurred_at,
          new.reason_code, new.request_id);
  return new;
end $$;
create trigger payment_request_events_keep instead of insert on payment_request_events
  for each row execute function keep_payment_request_event();

-- A role that may use the table may use the view: payreq migrate grants rights only after the
-- migrations, and the processes of the previous version read and write in between.
do $$
declare
  right_of record;
begin
  for right_of in
    select case when a.grantee = 0 then 'public' else quote_ident(r.rolname) end as grantee,
           a.privilege_type
    from pg_class c, aclexplode(c.relacl) a left join pg_roles r on r.oid = a.grantee
    where c.oid = 'payment_request_moves'::regclass
      and a.privilege_type in ('SELECT', 'INSERT')
  loop
    execute format('grant %s on payment_request_events to %s', right_of.privilege_type,
                   right_of.grantee);
  end loop;
end $$;

-- Code of the previous version finds its table as a view (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (57, 15);
