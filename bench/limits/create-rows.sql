-- The row of a create in a single statement and commit, as the service writes a create that shares
-- its statement with no other: the payment request, which is its CREATED event, too.
-- inserted-rows.ts gives the variable.
INSERT INTO payment_requests (
  id, merchant_id, merchant_transaction_id, amount_cents, type, payer_name, payer_email,
  payer_preferred_language, display_message, invoice_number, short_code, created_at, expires_at)
VALUES (
  time_ordered_uuid(), :merchant, '0f8fad5bd9cb469fa165708677289501', 2550, 'ECOMM', 'Ada Payer',
  'ada@example.com', 'en', 'Thank you for your order', 'INV-20261',
  substr(replace(gen_random_uuid()::text, '-', ''), 16, 16), now(), now() + interval '30 days');
