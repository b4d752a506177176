-- The payment requests that the bank-transfer network knows: the data of each page, and the reference
-- by which the money is recognised. A row is kept for 13 months after the end of its request: money
-- can arrive late.
create table bank_transfer_requests (
  payment_request_id  uuid primary key,
  -- In the page's address: the holder of the key sees the page. It proves nothing.
  page_key            text collate "C" not null unique check (page_key ~ '^[0-9A-Za-z_-]{22}$'),
  merchant_id         text collate "C" not null references merchants,
  -- Electronic form: RF creditor reference, or 27 digits (QR reference) with a QR-IBAN.
  reference           text collate "C" not null unique
                        check (reference ~ '^(RF[0-9]{2}[0-9A-Z]{1,21}|[0-9]{27})$'),
  -- The version of the account that the page shows. Money on another account is a case.
  account_id          uuid not null references creditor_accounts,
  amount_cents        bigint not null check (amount_cents > 0),
  currency            text not null check (currency ~ '^[A-Z]{3}$'),
  merchant_name       text not null,
  merchant_profile    jsonb not null default '{}',
  merchant_return_url text,
  display_message     text,
  invoice_number      text,
  preferred_language  text,
  payment_link        text not null,
  qr_code_link        text not null,
  return_url          text not null,
  expires_at          timestamptz not null,
  state               text not null default 'OPEN' check (state in ('OPEN', 'PAID', 'CANCELLED')),
  -- The sum of the parts that have arrived.
  received_cents      bigint not null default 0 check (received_cents >= 0),
  -- A bank has announced money that is not booked yet.
  announced_at        timestamptz,
  -- The payer said that the transfer was sent.
  sent_at             timestamptz,
  -- Grows with every change, so that open pages can follow.
  version             integer not null default 1,
  created_at          timestamptz not null default service_now()
);
create index bank_transfer_requests_of_account on bank_transfer_requests (account_id);

-- Code of the previous version leaves the table as it is (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (31, 15);
