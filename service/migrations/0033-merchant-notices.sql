-- The address at which a merchant learns by e-mail of what a listener of the specification is not
-- sent.
alter table merchants add column notice_email text
  check (char_length(notice_email) between 3 and 254 and notice_email ~ '^[^@[:space:]]+@[^@[:space:]]+$');

-- E-mails to merchants: a row is written in the transaction of its cause, and sent from here at
-- least once. Holds identifiers and sums only, so that the erasure of a payer never touches a row.
create table merchant_notices (
  id                 uuid primary key,
  merchant_id        text collate "C" not null references merchants,
  kind               text not null check (kind in
                       ('PAYMENT_RETURNED', 'REFUND_FAILED', 'ACCOUNT_CHANGED')),
  payment_request_id uuid,
  refund_id          uuid,
  amount_cents       bigint,
  currency           text check (currency ~ '^[A-Z]{3}$'),
  status_reason_code text,
  -- The last characters of account numbers; null: before, there was none.
  iban_end           text check (char_length(iban_end) = 4),
  previous_iban_end  text check (char_length(previous_iban_end) = 4),
  created_at         timestamptz not null default service_now(),
  -- OPERATOR: no address or no mail server is set, or the mail server refused; an operator's alert
  -- names the merchant.
  status             text not null default 'PENDING' check (status in ('PENDING', 'SENT', 'OPERATOR')),
  attempts           smallint not null default 0 check (attempts >= 0),
  next_attempt_at    timestamptz not null default service_now(),
  lease_token        uuid,
  leased_until       timestamptz,
  completed_at       timestamptz,
  constraint merchant_notices_completion check ((status = 'PENDING') = (completed_at is null))
);
create index merchant_notices_due on merchant_notices (next_attempt_at) where status = 'PENDING';
create index merchant_notices_completed on merchant_notices (completed_at)
  where completed_at is not null;

-- Code of the previous version leaves the column and the table as they are (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (33, 15);
