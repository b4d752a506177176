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

-- Code of the previous version leaves the tables as they are (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (54, 15);
