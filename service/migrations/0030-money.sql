-- The deployment's currency and network, recorded by the first start with them. A start with
-- others is refused while payment requests are open: amounts carry no currency of their own.
alter table deployment
  add column currency text check (currency ~ '^[A-Z]{3}$'),
  add column network text check (char_length(network) between 1 and 40);

-- An IBAN belongs to one merchant, also after the merchant has changed the account: otherwise money
-- for old payment requests would reach the wrong merchant.
create table creditor_ibans (
  -- Electronic form: capital letters and digits.
  iban        text collate "C" primary key check (iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$'),
  merchant_id text collate "C" not null references merchants,
  constraint creditor_ibans_of_merchant unique (iban, merchant_id)
);

-- The accounts to which payers transfer money. A change is a new version: an open payment request
-- keeps the version that it shows.
create table creditor_accounts (
  id          uuid primary key,
  merchant_id text collate "C" not null references merchants,
  version     integer not null check (version >= 1),
  -- The account holder's name: banks compare it and warn the payer.
  holder      text not null check (char_length(holder) between 1 and 70),
  iban        text collate "C" not null,
  bic         text check (bic ~ '^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$'),
  created_at  timestamptz not null default service_now(),
  -- null: the merchant's current account.
  replaced_at timestamptz,
  -- The bank has closed the account: refunds leave from the current one.
  closed_at   timestamptz,
  constraint creditor_accounts_version unique (merchant_id, version),
  constraint creditor_accounts_iban foreign key (iban, merchant_id)
    references creditor_ibans (iban, merchant_id)
);
create unique index creditor_accounts_current on creditor_accounts (merchant_id)
  where replaced_at is null;

-- Sums of the money of a payment request, in cents. They equal the sums of its ledger entries.
alter table payment_requests
  -- Incoming money that belongs to the payment request. null: the payment request was PAID before
  -- this column, and amount_cents arrived; or nothing has arrived.
  add column received_cents  bigint,
  -- Money that the network or a bank took back.
  add column returned_cents  bigint not null default 0,
  -- Refunds that are COMPLETED.
  add column refunded_cents  bigint not null default 0,
  -- Refunds that are CREATED or PROCESSING.
  add column refunding_cents bigint not null default 0,
  -- Not valid: a check of the rows from before would lock the table, and they hold the defaults.
  add constraint payment_requests_sums check
    (received_cents >= 0 and returned_cents >= 0 and refunded_cents >= 0 and refunding_cents >= 0)
    not valid;

-- Every movement of money, written in the transaction that learns of it. Holds identifiers and sums
-- only, so that the erasure of a payer never touches an entry.
create table ledger_entries (
  id                 uuid primary key,
  -- With the transaction's number, the order of pages: a cursor below every open transaction cannot
  -- skip an entry that commits late (decision 0017).
  transaction_id     xid8 not null default pg_current_xact_id(),
  position           bigint generated always as identity,
  -- null: money that no merchant can be named for.
  merchant_id        text collate "C" references merchants,
  type               text not null check (type in
                       ('PAYMENT', 'LATE_PAYMENT', 'PART_PAYMENT', 'SECOND_PAYMENT', 'UNMATCHED',
                        'ASSIGNED', 'RETURN', 'REFUND', 'REFUND_RETURN', 'ADJUSTMENT')),
  -- Positive: money came in. Negative: money went out.
  amount_cents       bigint not null check (amount_cents <> 0),
  currency           text not null check (currency ~ '^[A-Z]{3}$'),
  payment_request_id uuid references payment_requests,
  refund_id          uuid,
  network_reference  text,
  -- The bank's own reference of the booking.
  bank_reference     text,
  -- null: no bank has booked it; the day of created_at in TIME_ZONE counts.
  booking_date       date,
  created_at         timestamptz not null default service_now()
);
-- A movement enters the ledger once, however often it is reported.
create unique index ledger_entries_incoming_once on ledger_entries (network_reference)
  where type in ('PAYMENT', 'LATE_PAYMENT', 'PART_PAYMENT', 'SECOND_PAYMENT', 'UNMATCHED');
create unique index ledger_entries_return_once on ledger_entries (network_reference)
  where type = 'RETURN';
create unique index ledger_entries_refund_once on ledger_entries (refund_id, type)
  where type in ('REFUND', 'REFUND_RETURN');
create index ledger_entries_of_merchant on ledger_entries (merchant_id, transaction_id, position);
create index ledger_entries_of_payment_request on ledger_entries (payment_request_id)
  where payment_request_id is not null;
create index ledger_entries_by_day on ledger_entries (merchant_id, booking_date);

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger only grows: write an ADJUSTMENT'
    using errcode = 'check_violation', constraint = 'ledger_entries_append_only';
end $$;
create trigger ledger_entries_append_only before update or delete on ledger_entries
  for each statement execute function refuse_ledger_change();

-- Money that goes back to a payer.
create table refunds (
  id                        uuid primary key,
  payment_request_id        uuid not null references payment_requests,
  merchant_id               text collate "C" not null references merchants,
  -- The merchant's own id of the refund. null: created with an Idempotency-Key, or by an operator.
  merchant_refund_id        text collate "C"
                              check (char_length(merchant_refund_id) between 1 and 64),
  -- SHA-256 of the body as sent: a repetition with another body is refused.
  body_hash                 bytea check (octet_length(body_hash) = 32),
  amount_cents              bigint not null check (amount_cents > 0),
  status                    text not null default 'CREATED' check (status in
                              ('CREATED', 'PROCESSING', 'COMPLETED', 'FAILED')),
  status_reason_code        text,
  reason                    text not null default 'REQUESTED_BY_CUSTOMER' check (reason in
                              ('REQUESTED_BY_CUSTOMER', 'DUPLICATE', 'FRAUDULENT', 'OTHER')),
  -- Shown on the payer's bank statement where the network can.
  message                   text check (char_length(message) between 1 and 140),
  webhook_url               text,
  -- Whether the amount is taken from the amount available of the payment request. Money of an
  -- operator's case (a second payment) is no part of it.
  is_of_payment             boolean not null default true,
  -- The network reference of the one movement that the refund gives back; null: the movements of
  -- the payment.
  movement_reference        text,
  operator_case_id          uuid references operator_cases,
  payment_network_reference text,
  payment_completed_at      timestamptz,
  -- Grows with every change; the ETag.
  version                   integer not null default 1,
  created_at                timestamptz not null,
  -- When the network is next handed or asked for the refund, by service_now(); null: never again.
  next_poll_at              timestamptz,
  polls                     integer not null default 0,
  constraint refunds_merchant_refund_id unique (merchant_id, merchant_refund_id),
  constraint refunds_status_reason check ((status = 'FAILED') = (status_reason_code is not null)),
  constraint refunds_body_hash check (merchant_refund_id is null or body_hash is not null)
);
create index refunds_of_payment_request on refunds (payment_request_id, created_at);
create index refunds_of_merchant on refunds (merchant_id, created_at desc, id desc);
create index refunds_to_poll on refunds (next_poll_at) where next_poll_at is not null;
-- A refund for each operator's case: two operators may settle it at once.
create unique index refunds_of_case on refunds (operator_case_id)
  where operator_case_id is not null and status <> 'FAILED';

-- A row for every status that a refund has reached, in order.
create table refund_events (
  refund_id   uuid not null references refunds,
  position    smallint not null,
  status      text not null,
  cause       text not null,
  occurred_at timestamptz not null,
  request_id  text,
  primary key (refund_id, position)
);

-- A new refund never exceeds the amount available. The row lock of the payment request, which the
-- writer holds, orders two refunds at once. Reports of a network are not refused here: they state
-- what has happened.
create function refuse_refund_above_available() returns trigger language plpgsql as $$
declare available bigint;
begin
  select coalesce(p.received_cents, p.amount_cents) - p.returned_cents
         - (select coalesce(sum(r.amount_cents), 0) from refunds r
            where r.payment_request_id = p.id and r.is_of_payment and r.status <> 'FAILED')
    into available
    from payment_requests p where p.id = new.payment_request_id;
  if new.amount_cents > available then
    raise exception 'refund of % cents above the % cents available', new.amount_cents, available
      using errcode = 'check_violation', constraint = 'refunds_within_available';
  end if;
  return new;
end $$;
create trigger refunds_within_available before insert on refunds
  for each row when (new.is_of_payment and new.status <> 'COMPLETED' and new.status <> 'FAILED')
  execute function refuse_refund_above_available();

-- Cases about money name the merchant, and how an operator settled them.
alter table operator_cases
  add column merchant_id text collate "C" references merchants,
  add column settlement  text check (settlement in ('ACCEPTED', 'ASSIGNED', 'REFUNDED', 'CLOSED')),
  add constraint operator_cases_settlement check (settlement is null or closed_at is not null);

-- The amount that a merchant may give back in a day, in cents; 0: refunds are off. Merchants that
-- exist before this version did not ask for the power to refund.
alter table merchants
  add column refunds_per_day_cents bigint not null default 0 check (refunds_per_day_cents >= 0);

-- Code of the previous version leaves these columns and tables as they are (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (30, 15);
