-- Which status may follow which. Filled at every migration from the table in
-- payment-request-states.ts, the only source; here so that the database refuses what it refuses.
create table payment_request_transitions (
  from_status text not null,
  to_status   text not null,
  primary key (from_status, to_status)
);

-- What merchants asked for and what became of it. Fields are kept as they were sent.
create table payment_requests (
  id                        uuid primary key,
  merchant_id               text not null references merchants,
  merchant_transaction_id   text,
  -- The same value, kept here while the merchant's setting uniqueTransactionIds is on, so that an
  -- index can refuse the second of two creations at once.
  unique_transaction_id     text,
  -- Integer cents: numeric accepts NaN, which passes "> 0".
  amount_cents              bigint not null check (amount_cents > 0),
  type                      text not null check (type = 'ECOMM'),
  delivery_mode             text,
  payer_name                text not null,
  payer_merchant_account_id text,
  payer_email               text,
  payer_mobile_number       text,
  payer_preferred_language  text,
  due_date                  date,
  display_message           text,
  invoice_number            text,
  business_unit             text,
  email_template_id         text,
  webhook_url               text,
  -- Whether the URL came as webhookUrl or callbackUrl: it is echoed under the name sent.
  webhook_url_field         text check (webhook_url_field in ('webhookUrl', 'callbackUrl')),
  -- json, not jsonb: echoed in the order and spelling it was sent in.
  metadata                  json,
  short_code                text not null unique check (short_code ~ '^[0-9A-Za-z]{16}$'),
  status                    text not null default 'CREATED' check (status in
                              ('CREATED', 'PROCESSING', 'PAID', 'FAILED', 'EXPIRED', 'CANCELLED')),
  status_reason_code        text,
  status_reason_message     text,
  paid_late                 boolean not null default false,
  payment_institution       text,
  payment_network_reference text,
  payment_completed_at      timestamptz,
  -- Grows with every change; the ETag.
  version                   integer not null default 1,
  -- How many webhook events this payment request has had; the next one's sequence.
  webhook_sequence          integer not null default 0,
  created_at                timestamptz not null,
  expires_at                timestamptz not null,
  check (payer_email is not null or payer_mobile_number is not null),
  check ((webhook_url is null) = (webhook_url_field is null)),
  check ((status in ('FAILED', 'EXPIRED', 'CANCELLED')) = (status_reason_code is not null)),
  check ((status = 'PAID') = (payment_completed_at is not null)),
  check (status = 'PAID' or not paid_late),
  constraint payment_requests_unique_transaction unique (merchant_id, unique_transaction_id)
);
-- By the merchant's own reference: support and reconciliation start from it.
create index payment_requests_by_transaction on payment_requests (merchant_id, merchant_transaction_id);
-- Newest first, per merchant: the list and its pages.
create index payment_requests_of_merchant on payment_requests (merchant_id, created_at desc, id desc);
-- What may still expire: small, however many requests there are.
create index payment_requests_to_expire on payment_requests (expires_at) where status = 'CREATED';

-- One row for every status a payment request has reached, in order; the members of "events".
create table payment_request_events (
  payment_request_id uuid not null references payment_requests,
  position           smallint not null,
  status             text not null,
  -- What moved it (the cause's name in payment-request-states.ts), for the timeline.
  cause              text not null,
  occurred_at        timestamptz not null,
  primary key (payment_request_id, position)
);

create function refuse_unknown_transition() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.status <> 'CREATED' then
      raise exception 'a payment request starts as CREATED, not %', new.status
        using errcode = 'check_violation', constraint = 'payment_request_transition';
    end if;
  elsif not exists (select from payment_request_transitions
                    where from_status = old.status and to_status = new.status) then
    raise exception 'a payment request does not move from % to %', old.status, new.status
      using errcode = 'check_violation', constraint = 'payment_request_transition';
  end if;
  return new;
end $$;

create trigger payment_requests_start before insert on payment_requests
  for each row when (new.status <> 'CREATED') execute function refuse_unknown_transition();
create trigger payment_requests_move before update of status on payment_requests
  for each row when (old.status is distinct from new.status)
  execute function refuse_unknown_transition();

-- What only a person can settle, first of all money whose amount is not the amount asked for.
create table operator_cases (
  id                 uuid primary key,
  kind               text not null,
  payment_request_id uuid references payment_requests,
  details            jsonb not null,
  opened_at          timestamptz not null,
  closed_at          timestamptz
);
create index operator_cases_open on operator_cases (opened_at) where closed_at is null;
