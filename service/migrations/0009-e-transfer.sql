-- What we have asked of the e-transfer network: one row for every payment request whose link a
-- payer has opened, written before the network is asked, so that an answer that never came is not
-- forgotten. The loop that reconciles lost reports works through it.
create table network_requests (
  payment_request_id uuid primary key references payment_requests,
  -- Where the payer goes; null until the network has answered once.
  payer_url          text,
  -- The version of the payment request that the network knows.
  known_version      integer,
  -- How often the network was asked since the payment request last changed.
  looks              integer not null default 0,
  -- Grows with every change of the payment request: who looked meanwhile must not put off the look
  -- that the change asks for.
  changes            integer not null default 0,
  -- When to look next, by service_now(); null: nothing can come any more.
  next_look_at       timestamptz,
  -- When operators were told that it takes too long.
  alerted_at         timestamptz,
  created_at         timestamptz not null default service_now()
);
create index network_requests_to_look_at on network_requests (next_look_at)
  where next_look_at is not null;

-- What happens to a payment request is the network's affair too: it is told of a change or an end
-- at once, and asked about a payment in progress soon. Here, so that it commits with the change,
-- whoever makes it.
create function look_at_network_request() returns trigger language plpgsql as $$
begin
  update network_requests
  set looks = 0, changes = changes + 1,
      next_look_at = case new.status
        when 'PAID' then null
        when 'PROCESSING' then service_now() + interval '30 seconds'
        else service_now() end
  where payment_request_id = new.id;
  return null;
end $$;

create trigger payment_requests_tell_network after update on payment_requests
  for each row when (old.version is distinct from new.version)
  execute function look_at_network_request();

-- The simulated e-transfer network's own books: nothing but its gateway reads or writes them, and
-- they know nothing of ours but what the network was told.
create table gateway_payments (
  -- In the gateway's addresses: who holds it can see and pay it.
  id                 text collate "C" primary key,
  payment_request_id uuid not null unique,
  amount_cents       bigint not null check (amount_cents > 0),
  currency           text not null,
  merchant_name      text not null,
  display_message    text,
  invoice_number     text,
  preferred_language text,
  payment_link       text not null,
  qr_code_link       text not null,
  return_url         text not null,
  expires_at         timestamptz not null,
  state              text not null default 'OPEN' check (state in
                       ('OPEN', 'CONFIRMED', 'ACCEPTED', 'SETTLED', 'REFUSED', 'CANCELLED')),
  refusal_reason     text,
  institution        text,
  network_reference  text,
  confirmed_at       timestamptz,
  -- What becomes of a confirmed payment, and when: the test user who signed in decides.
  settles_at         timestamptz,
  settlement         text check (settlement in ('SUCCEED', 'INSTITUTION_TIMES_OUT')),
  failed_sign_ins    smallint not null default 0,
  -- Whoever ordered the payment hears of its state from here on; null: it has heard.
  report_due_at      timestamptz,
  -- Grows with every change, so that open pages can follow.
  version            integer not null default 1,
  created_at         timestamptz not null default service_now(),
  check ((state = 'REFUSED') = (refusal_reason is not null))
);
create index gateway_payments_to_report on gateway_payments (report_due_at)
  where report_due_at is not null;
create index gateway_payments_to_settle on gateway_payments (settles_at)
  where state = 'ACCEPTED';

-- Payers at the gateway: one row for every browser that has chosen an institution.
create table gateway_sessions (
  -- SHA-256 of the cookie's secret.
  id_hash    bytea primary key,
  payment_id text not null references gateway_payments on delete cascade,
  institution text not null,
  -- The test user; null until the payer has signed in.
  username   text,
  created_at timestamptz not null default service_now(),
  expires_at timestamptz not null
);
create index gateway_sessions_of_payment on gateway_sessions (payment_id, created_at);
create index gateway_sessions_to_prune on gateway_sessions (expires_at);
