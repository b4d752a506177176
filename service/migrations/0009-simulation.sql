-- Steps that the sandbox's simulator will take, each with its time. Rows are written in the
-- transaction that creates the request, so an outcome that fell due while the service was down
-- happens at its next start (contract §8).
create table sandbox_steps (
  payment_request_id uuid not null references payment_requests,
  position           smallint not null,
  due_at             timestamptz not null,
  -- What happens, by the names of sandbox/outcomes.ts.
  action             text not null,
  reason_code        text,
  -- Whoever claimed the step has until then; after that another process may do it again, which the
  -- table of transitions makes harmless.
  claimed_until      timestamptz,
  attempts           smallint not null default 0,
  done_at            timestamptz,
  primary key (payment_request_id, position)
)
-- A step is claimed and done in its page: due_at, the indexed column, changes only where a call
-- advances time. Only its end takes it out of the index. Vacuumed as payment_requests.
with (fillfactor = 80, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_scale_factor = 0.002,
      vacuum_index_cleanup = on);
create index sandbox_steps_due on sandbox_steps (due_at) where done_at is null;

-- Payment requests whose time a call advances now (decision 0154): the row is the job, and goes with
-- its end.
create table sandbox_advances (
  payment_request_id uuid primary key references payment_requests on delete cascade,
  -- The time that is left to bring forward, in microseconds, as instants have them.
  remaining_us       bigint not null check (remaining_us >= 0),
  -- The process with this token carries it out until then; after that another one goes on.
  claim_token        uuid,
  claimed_until      timestamptz,
  created_at         timestamptz not null default service_now()
);

-- The simulated e-transfer network's own books: nothing but its gateway reads or writes them, and
-- they know nothing of ours but what the network was told.
create table gateway_payments (
  -- In the gateway's addresses: who holds it can see and pay it.
  id                  text collate "C" primary key,
  payment_request_id  uuid not null unique,
  amount_cents        bigint not null check (amount_cents > 0),
  currency            text not null,
  merchant_name       text not null,
  -- The data of the merchant that pages show.
  merchant_profile    jsonb not null default '{}',
  -- The merchant's own page; null: none is known.
  merchant_return_url text,
  display_message     text,
  invoice_number      text,
  preferred_language  text,
  payment_link        text not null,
  qr_code_link        text not null,
  return_url          text not null,
  expires_at          timestamptz not null,
  -- ASKED: a payer has confirmed and the institution has not answered; no money has moved.
  state               text not null default 'OPEN' check (state in
                        ('OPEN', 'ASKED', 'CONFIRMED', 'ACCEPTED', 'SETTLED', 'REFUSED', 'CANCELLED')),
  -- Refusals that payers could correct, each offered to the payer before it is reported (decision
  -- 0036); the last that is allowed refuses the payment.
  refusals            smallint not null default 0,
  refusal_reason      text,
  -- The id of the session that confirmed, declined or was refused: the words of its page differ
  -- (decision 0037).
  decided_by          bytea,
  institution         text,
  network_reference   text,
  confirmed_at        timestamptz,
  -- When an accepted payment settles, or an asked institution answers: the test user who signed in
  -- decides.
  settles_at          timestamptz,
  -- When it returns the money, by service_now(); null: never, or it has.
  returns_at          timestamptz,
  failed_sign_ins     smallint not null default 0,
  -- Whoever ordered the payment hears of its state from here on; null: it has heard.
  report_due_at       timestamptz,
  -- Grows with every change, so that open pages can follow.
  version             integer not null default 1,
  created_at          timestamptz not null default service_now(),
  check ((state = 'REFUSED') = (refusal_reason is not null))
);
create index gateway_payments_to_report on gateway_payments (report_due_at)
  where report_due_at is not null;
create index gateway_payments_asked on gateway_payments (settles_at) where state = 'ASKED';
create index gateway_payments_to_settle on gateway_payments (settles_at)
  where state = 'ACCEPTED';
create index gateway_payments_to_return on gateway_payments (returns_at)
  where returns_at is not null;

-- Payers at the gateway: one row for every browser that has chosen an institution.
create table gateway_sessions (
  -- SHA-256 of the cookie's secret.
  id_hash            bytea primary key,
  payment_id         text collate "C" not null references gateway_payments on delete cascade,
  institution        text not null,
  -- The test user; null until the payer has signed in.
  username           text,
  -- The username of a sign-in that failed: the page shows it again, and the payer corrects the
  -- password alone. The session's end deletes it with the session.
  attempted_username text check (char_length(attempted_username) between 1 and 64),
  -- The refusal that this browser's payer is told; null: none, or another institution was chosen since.
  refusal_reason     text,
  created_at         timestamptz not null default service_now(),
  expires_at         timestamptz not null
);
create index gateway_sessions_of_payment on gateway_sessions (payment_id, created_at);
create index gateway_sessions_to_prune on gateway_sessions (expires_at);

-- The refunds that the simulated network knows.
create table gateway_refunds (
  -- The idempotent reference.
  refund_id          uuid primary key,
  payment_request_id uuid not null,
  amount_cents       bigint not null check (amount_cents > 0),
  network_reference  text not null unique,
  -- The outcome that a test user or the message chose.
  outcome            text not null check (outcome in ('COMPLETE', 'REFUSE', 'RETURN')),
  refusal_reason     text,
  state              text not null default 'ACCEPTED' check (state in
                       ('ACCEPTED', 'COMPLETED', 'REFUSED', 'RETURNED')),
  completed_at       timestamptz,
  -- When the state next changes or is next reported, by service_now(); null: never again.
  due_at             timestamptz,
  created_at         timestamptz not null default service_now(),
  constraint gateway_refunds_reason check ((outcome = 'REFUSE') = (refusal_reason is not null))
);
create index gateway_refunds_due on gateway_refunds (due_at) where due_at is not null;
