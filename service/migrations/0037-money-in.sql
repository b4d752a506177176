-- Money that came in parts or went back shows in the timeline of its payment request.
alter table payment_request_timeline drop constraint payment_request_timeline_type_check;
-- Not valid: every row holds one of the types of before, and a check of all would lock the table.
alter table payment_request_timeline add constraint payment_request_timeline_type_check check
  (type in ('LINK_OPENED', 'PAYER_STEP', 'CANCELLATION_REQUESTED', 'UPDATED', 'PART_RECEIVED',
   'MONEY_RETURNED')) not valid;

-- Finds what an operator assigned of a movement.
create index ledger_entries_assigned on ledger_entries (network_reference) where type = 'ASSIGNED';

-- How far the ledger has taken over the payments of before the ledger (decision 0045).
create table ledger_takeover (
  only_row   boolean primary key default true check (only_row),
  -- The last payment request that was looked at, in the order of ids; null: none yet.
  reached_id uuid,
  -- null: some are left.
  ended_at   timestamptz
);
insert into ledger_takeover default values;

-- Processes of the previous version make PAID without an entry in the ledger until they stop. Each
-- such payment waits here, and leaves with its entry. Code of this version writes received_cents.
create table unbooked_payments (
  payment_request_id uuid primary key references payment_requests
);
create function note_unbooked_payment() returns trigger language plpgsql as $$
begin
  insert into unbooked_payments values (new.id) on conflict do nothing;
  return null;
end $$;
create trigger payment_requests_unbooked after update of status on payment_requests
  for each row when (new.status = 'PAID' and new.received_cents is null)
  execute function note_unbooked_payment();

-- The simulated network's payments that come back.
alter table gateway_payments
  -- When it returns the money, by service_now(); null: never, or it has.
  add column returns_at timestamptz;
create index gateway_payments_to_return on gateway_payments (returns_at)
  where returns_at is not null;

-- Code of the previous version leaves these columns and tables as they are (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (37, 15);
