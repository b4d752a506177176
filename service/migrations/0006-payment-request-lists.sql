-- The indexes of the list (contract §4), chosen with EXPLAIN at ten million rows: see
-- docs/decisions/0010-list-indexes.md. Each begins with the merchant and what is filtered on, and
-- ends with the order of the list, so that a page is read off it however many rows match.

-- By the merchant's own reference; also finds a creation's duplicate. Most merchants that send none
-- cost nothing here.
drop index payment_requests_by_transaction;
create index payment_requests_by_transaction
  on payment_requests (merchant_id, merchant_transaction_id, created_at desc, id desc)
  where merchant_transaction_id is not null;
create index payment_requests_by_invoice
  on payment_requests (merchant_id, invoice_number, created_at desc, id desc)
  where invoice_number is not null;
create index payment_requests_by_business_unit
  on payment_requests (merchant_id, business_unit, created_at desc, id desc)
  where business_unit is not null;
-- An e-mail address is the same in upper and lower case, a number however it is punctuated.
create index payment_requests_by_payer_email
  on payment_requests (merchant_id, lower(payer_email), created_at desc, id desc)
  where payer_email is not null;
create index payment_requests_by_payer_mobile
  on payment_requests
    (merchant_id, translate(payer_mobile_number, '+-() ', ''), created_at desc, id desc)
  where payer_mobile_number is not null;
create index payment_requests_by_status
  on payment_requests (merchant_id, status, created_at desc, id desc);
create index payment_requests_by_amount
  on payment_requests (merchant_id, amount_cents, created_at desc, id desc);

-- Only requests of merchants whose transaction ids are unique are in it; as a constraint it held an
-- entry for every payment request there is.
alter table payment_requests drop constraint payment_requests_unique_transaction;
create unique index payment_requests_unique_transaction
  on payment_requests (merchant_id, unique_transaction_id)
  where unique_transaction_id is not null;

-- Which merchant's list is being streamed as CSV, so that there is one stream a merchant whatever
-- the number of processes (contract §4, List). A row that outlives its process ends with its lease.
create table payment_request_streams (
  merchant_id  text primary key references merchants,
  lease_token  uuid not null,
  leased_until timestamptz not null
);
