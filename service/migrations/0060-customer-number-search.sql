-- People who search find payment requests by the merchant's number of the customer
-- (docs/decisions/0096). As the other values, it stands before the merchant, in the order of lists.
-- Rows without such a number are not in the index.
--
-- "if not exists" lets an operator with millions of rows build it beforehand, with "concurrently".
create index if not exists payment_requests_customers on payment_requests
  (payer_merchant_account_id, merchant_id, created_at desc, id desc)
  where payer_merchant_account_id is not null;

-- Code of the previous version names the same columns, and no index (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (60, 15);
