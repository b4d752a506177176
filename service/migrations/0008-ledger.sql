-- Every movement of money, written in the transaction that learns of it. Holds identifiers and sums
-- only, so that the erasure of a payer never touches an entry.
create table ledger_entries (
  id                 uuid primary key,
  -- With the transaction's number, the order of pages: a cursor below every open transaction cannot
  -- skip an entry that commits late (decision 0017).
  transaction_id     xid8 not null default pg_current_xact_id(),
  position           bigint not null default commit_position(),
  -- null: money that no merchant can be named for.
  merchant_id        text collate "C" references merchants,
  -- FEE: the charges of a bank.
  type               text not null check (type in
                       ('PAYMENT', 'LATE_PAYMENT', 'PART_PAYMENT', 'SECOND_PAYMENT', 'UNMATCHED',
                        'ASSIGNED', 'RETURN', 'REFUND', 'REFUND_RETURN', 'ADJUSTMENT', 'FEE')),
  -- Positive: money came in. Negative: money went out.
  amount_cents       bigint not null check (amount_cents <> 0),
  currency           text not null check (currency ~ '^[A-Z]{3}$'),
  payment_request_id uuid references payment_requests,
  refund_id          uuid,
  network_reference  text,
  -- The bank's own reference of the booking.
  bank_reference     text,
  -- null: no bank has booked it; the day of created_at in TIME_ZONE counts.
  booking_date       date,
  created_at         timestamptz not null default service_now()
);
-- A movement enters the ledger once, however often it is reported; so do its charges.
create unique index ledger_entries_incoming_once on ledger_entries (network_reference)
  where type in ('PAYMENT', 'LATE_PAYMENT', 'PART_PAYMENT', 'SECOND_PAYMENT', 'UNMATCHED');
create unique index ledger_entries_return_once on ledger_entries (network_reference)
  where type = 'RETURN';
create unique index ledger_entries_refund_once on ledger_entries (refund_id, type)
  where type in ('REFUND', 'REFUND_RETURN');
create unique index ledger_entries_fee_once on ledger_entries (network_reference, refund_id)
  nulls not distinct where type = 'FEE';
-- Finds what an operator assigned of a movement.
create index ledger_entries_assigned on ledger_entries (network_reference) where type = 'ASSIGNED';
-- An earlier booking that a corrected one has replaced is found by its reference.
create index ledger_entries_adjusted on ledger_entries (network_reference)
  where type = 'ADJUSTMENT';
create index ledger_entries_of_merchant on ledger_entries (merchant_id, transaction_id, position);
create index ledger_entries_in_order on ledger_entries (transaction_id, position);
-- A filter by a rare type, in the order of pages. PAYMENT is most of the ledger.
create index ledger_entries_by_type on ledger_entries
  (merchant_id, type, transaction_id, position) where type <> 'PAYMENT';
create index ledger_entries_of_payment_request on ledger_entries (payment_request_id)
  where payment_request_id is not null;
-- Money that names no payment request: few entries.
create index ledger_entries_without_request on ledger_entries (merchant_id, created_at)
  where payment_request_id is null;
-- The report of a day reads the entries of that day, and sums earlier ones from the index alone.
create index ledger_entries_by_booking_day on ledger_entries (merchant_id, booking_date)
  include (type, currency, amount_cents, transaction_id) where booking_date is not null;
create index ledger_entries_by_creation on ledger_entries (merchant_id, created_at)
  include (type, currency, amount_cents, transaction_id) where booking_date is null;

-- Only retention deletes entries. It announces itself by a setting of its transaction, and never
-- deletes an entry of the last year.
create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('payment_requests.retention', true) = 'on'
     and old.created_at <= service_now() - interval '1 year' then
    return old;
  end if;
  raise exception 'the ledger only grows: write an ADJUSTMENT'
    using errcode = 'check_violation', constraint = 'ledger_entries_append_only';
end $$;
create trigger ledger_entries_append_only before update or delete on ledger_entries
  for each row execute function refuse_ledger_change();

-- The sums of the ledger by day: a background loop adds up entries, behind the oldest open
-- transaction (decision 0076). The report of a day adds these sums and the entries after the place.
create table ledger_day_sums (
  -- Empty: money that no merchant can be named for.
  merchant_id  text collate "C" not null,
  -- true: the day is the booking date. false: the day of created_at in UTC, in every TIME_ZONE.
  is_booked    boolean not null,
  day          date not null,
  currency     text not null,
  amount_cents bigint not null,
  primary key (merchant_id, is_booked, day, currency)
)
-- Summing changes no indexed column; room in the page lets it leave the index alone.
with (fillfactor = 50);

-- The sums hold the entries up to this place, and no others: both move in one transaction, one
-- process at a time. 0: the table of sums is not in use.
create table ledger_day_sums_progress (
  only_row       boolean primary key default true check (only_row),
  transaction_id xid8 not null default '0',
  position       bigint not null default 0
)
with (fillfactor = 50);
insert into ledger_day_sums_progress default values;

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
