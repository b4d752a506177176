-- The numbers of the overview: a background loop adds up what happened, behind the oldest open
-- transaction (decision 0069). A payment's own transaction writes no counter.

-- Sums of a merchant and a quarter of an hour; those of the empty merchant are the sums of all
-- merchants, and of money that no merchant can be named for.
create table payment_counters (
  merchant_id        text collate "C" not null,
  -- The beginning of a quarter of an hour of UTC: the days of every time zone can be cut from it.
  quarter            timestamptz not null,
  -- By the instant of the payment.
  paid               bigint not null default 0,
  -- By the creation of the ledger entry.
  received_cents     bigint not null default 0,
  -- The parts of received_cents: for payment requests in full, and in part; what waits for a person;
  -- corrections and charges of banks.
  paid_cents         bigint not null default 0,
  part_cents         bigint not null default 0,
  waiting_cents      bigint not null default 0,
  corrected_cents    bigint not null default 0,
  returned_cents     bigint not null default 0,
  refunded_cents     bigint not null default 0,
  -- The payment requests that were created in the quarter, by their present status: completed are
  -- PAID now. A late payment takes its request out of the status before.
  created            bigint not null default 0,
  completed          bigint not null default 0,
  failed             bigint not null default 0,
  expired            bigint not null default 0,
  cancelled          bigint not null default 0,
  -- How many of them came so far.
  opened             bigint not null default 0,
  institution_chosen bigint not null default 0,
  signed_in          bigint not null default 0,
  confirmed          bigint not null default 0,
  primary key (merchant_id, quarter)
)
-- Counting changes no indexed column; room in the page lets it leave the indexes alone.
with (fillfactor = 50);
create index payment_counters_by_quarter on payment_counters (quarter);

-- How many payments of a quarter took how long: four classes for each doubling of the time.
create table payment_counter_times (
  merchant_id text collate "C" not null,
  quarter     timestamptz not null,
  time_class  smallint not null,
  paid        bigint not null default 0,
  primary key (merchant_id, quarter, time_class)
)
with (fillfactor = 50);
create index payment_counter_times_by_quarter on payment_counter_times (quarter);

-- The latest run that counted something of a merchant: open pages follow it.
create table payment_counter_versions (
  merchant_id text collate "C" primary key,
  version     bigint not null
)
with (fillfactor = 50);

-- How far the counters are: places and sums move in one transaction, one process at a time.
create table payment_counter_progress (
  only_row          boolean primary key default true check (only_row),
  version           bigint not null default 0,
  event_transaction xid8 not null default '0',
  event_request     uuid not null default '00000000-0000-0000-0000-000000000000',
  event_position    smallint not null default 0,
  note_transaction  xid8 not null default '0',
  note_id           bigint not null default 0,
  entry_transaction xid8 not null default '0',
  entry_position    bigint not null default 0,
  -- Rows of a restored dump have the transaction 0. They are counted from the newest payment request
  -- to the oldest; those of payment requests with this id and above are counted.
  history_from      uuid not null default 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  -- null: some are left.
  history_ended_at  timestamptz
)
with (fillfactor = 50);
insert into payment_counter_progress default values;
