-- The sums of merchants' refunds of a day, for their limits: reading a sum costs the same on a day
-- with many refunds. A FAILED refund no longer counts.
create table refund_days (
  merchant_id text collate "C" not null references merchants,
  -- The day in TIME_ZONE.
  day         date not null,
  cents       bigint not null check (cents >= 0),
  primary key (merchant_id, day)
);

alter table refunds
  -- The day of refund_days that counts the refund; null: an operator's refund, which has no limit.
  add column counted_on   date,
  -- The W3C trace in which the refund was created; its webhooks go on with it.
  add column trace_parent text;

-- The refunds that the simulated network knows.
create table gateway_refunds (
  -- The idempotent reference.
  refund_id          uuid primary key,
  payment_request_id uuid not null,
  amount_cents       bigint not null check (amount_cents > 0),
  network_reference  text collate "C" not null unique,
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

-- Code of the previous version leaves these columns and tables as they are (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (36, 15);
