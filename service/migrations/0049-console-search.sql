-- People search the payment requests of several merchants by a value (docs/decisions/0070). The four
-- indexes of values now begin with the value: a search in all merchants reads the same index as a
-- merchant's list, which names both. No index is added to the table, so that no write costs more.
--
-- "if not exists" lets an operator with millions of rows build them beforehand, with "concurrently".
create index if not exists payment_requests_transactions on payment_requests
  (merchant_transaction_id, merchant_id, created_at desc, id desc)
  where merchant_transaction_id is not null;
drop index payment_requests_by_transaction;
create index if not exists payment_requests_invoices on payment_requests
  (invoice_number, merchant_id, created_at desc, id desc)
  where invoice_number is not null;
drop index payment_requests_by_invoice;
create index if not exists payment_requests_payer_emails on payment_requests
  (lower(payer_email), merchant_id, created_at desc, id desc)
  where payer_email is not null;
drop index payment_requests_by_payer_email;
create index if not exists payment_requests_payer_mobiles on payment_requests
  (translate(payer_mobile_number, '+-() ', ''), merchant_id, created_at desc, id desc)
  where payer_mobile_number is not null;
drop index payment_requests_by_payer_mobile;

-- A refund by the merchant's own id, and by the reference that the bank statement shows.
create index refunds_by_merchant_refund_id on refunds (merchant_refund_id)
  where merchant_refund_id is not null;
create index refunds_by_network_reference on refunds (payment_network_reference)
  where payment_network_reference is not null;

-- The acts of people on a payment request, for its timeline: details name its id, or its refund's or
-- case's.
create index audit_log_details on audit_log using gin (details jsonb_path_ops);

-- Code of the previous version names the same columns, and no index (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (49, 15);
