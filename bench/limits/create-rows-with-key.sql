-- The row of create-rows.sql and the stored answer of an Idempotency-Key. inserted-rows.ts gives
-- the variables.
WITH inserted AS (
  INSERT INTO payment_requests (
    id, merchant_id, merchant_transaction_id, amount_cents, type, payer_name, payer_email,
    payer_preferred_language, display_message, invoice_number, short_code, created_at, expires_at)
  VALUES (
    time_ordered_uuid(), :merchant, '0f8fad5bd9cb469fa165708677289501', 2550, 'ECOMM', 'Ada Payer',
    'ada@example.com', 'en', 'Thank you for your order', 'INV-20261',
    substr(replace(gen_random_uuid()::text, '-', ''), 16, 16), now(), now() + interval '30 days')
  RETURNING id)
INSERT INTO idempotency_answers (merchant_id, key, fingerprint, status, headers, body)
SELECT :merchant, 'bench-' || id, sha256(uuid_send(id)), 201, '{"location":"/v1"}', :body
FROM inserted;
