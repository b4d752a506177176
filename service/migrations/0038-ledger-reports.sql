-- The report of a day reads the entries of that day, and sums earlier ones from the index alone.
drop index ledger_entries_by_day;
create index ledger_entries_by_booking_day on ledger_entries (merchant_id, booking_date)
  include (type, currency, amount_cents, transaction_id) where booking_date is not null;
create index ledger_entries_by_creation on ledger_entries (merchant_id, created_at)
  include (type, currency, amount_cents, transaction_id) where booking_date is null;

-- A filter by a rare type, in the order of pages. PAYMENT is most of the ledger.
create index ledger_entries_by_type on ledger_entries
  (merchant_id, type, transaction_id, position) where type <> 'PAYMENT';

-- Money that names no payment request: few entries.
create index ledger_entries_without_request on ledger_entries (merchant_id, created_at)
  where payment_request_id is null;

-- The payment requests that became PAID on a day: each should have money in the ledger.
create index if not exists payment_requests_by_completion on payment_requests
  (merchant_id, payment_completed_at) where payment_completed_at is not null;

-- Code of the previous version reads no index (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (38, 15);
