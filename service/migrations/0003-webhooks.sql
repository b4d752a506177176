-- Where a merchant wants every event sent, beside the payment request's own webhookUrl.
create table webhook_endpoints (
  id                                uuid primary key,
  merchant_id                       text not null references merchants,
  -- As the guard's judgement gives it back, so that one address has one spelling.
  url                               text not null check (octet_length(url) <= 2048),
  -- null: all event types.
  event_types                       text[],
  description                       text,
  status                            text not null default 'ACTIVE' check (status in ('ACTIVE', 'PAUSED')),
  paused_reason                     text,
  listener_username                 text not null,
  listener_password_encrypted       bytea not null,
  signing_secret_encrypted          bytea not null,
  -- During a rotation both secrets sign, until the older one's end.
  previous_signing_secret_encrypted bytea,
  previous_signing_secret_until     timestamptz,
  created_at                        timestamptz not null default now(),
  unique (merchant_id, url)
);

-- The outbox and the feed: one row for every status change that a merchant must hear of, written in
-- the transaction that moved the status. The body's bytes are rendered once and never again.
create table webhook_events (
  id                 uuid primary key,
  -- With the transaction's number, the feed's order: a cursor that stays below every transaction
  -- still running cannot skip a row that commits late.
  transaction_id     xid8 not null default pg_current_xact_id(),
  feed_position      bigint generated always as identity,
  merchant_id        text not null references merchants,
  payment_request_id uuid not null,
  sequence           integer not null check (sequence >= 1),
  event_type         text not null,
  body               text not null,
  created_at         timestamptz not null default service_now(),
  unique (payment_request_id, sequence)
);
create index webhook_events_feed on webhook_events (merchant_id, transaction_id, feed_position);

-- A UUID of version 7 made by the database: rows that a statement multiplies get their identifiers
-- here, and PostgreSQL has uuidv7() only from version 18 on.
create function time_ordered_uuid() returns uuid language sql volatile as $$
  select (lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0')
          || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid
$$;

-- One row for every event and distinct URL it is for.
create table webhook_deliveries (
  id                 uuid primary key,
  event_id           uuid not null references webhook_events,
  merchant_id        text not null,
  payment_request_id uuid not null,
  sequence           integer not null,
  -- null: the payment request's own webhookUrl, with the merchant's default listener credentials.
  endpoint_id        uuid references webhook_endpoints,
  url                text not null,
  -- What shares one small number of connections: the endpoint's id, or the merchant with the URL's
  -- origin where there is no endpoint.
  destination        text collate "C" not null,
  status             text not null default 'PENDING'
                       check (status in ('PENDING', 'SUCCEEDED', 'EXHAUSTED')),
  attempts           integer not null default 0,
  -- When the next attempt falls due, by service_now(); null once the delivery is over.
  next_attempt_at    timestamptz default service_now(),
  -- A sender that holds the lease may send; whoever comes back after its end records nothing.
  lease_token        uuid,
  leased_until       timestamptz,
  created_at         timestamptz not null default service_now(),
  completed_at       timestamptz,
  -- At most one without an endpoint. Not by the URL, which may be longer than an index entry.
  unique nulls not distinct (event_id, endpoint_id),
  check ((status = 'PENDING') = (next_attempt_at is not null)),
  check ((lease_token is null) = (leased_until is null))
)
-- Claiming changes no indexed column; room in the page lets it leave the indexes alone.
with (fillfactor = 80);
-- By destination first, so that looking for what is due costs by the number of destinations, not by
-- the backlog of those that do not answer.
create index webhook_deliveries_due on webhook_deliveries (destination, next_attempt_at)
  where status = 'PENDING';
-- Whether an earlier event of the same payment request is still on its way.
create index webhook_deliveries_in_order on webhook_deliveries (payment_request_id, sequence)
  where status = 'PENDING';

-- One row for every attempt: what a merchant and an operator look at when something did not arrive.
create table webhook_attempts (
  delivery_id   uuid not null references webhook_deliveries on delete cascade,
  attempt       integer not null,
  started_at    timestamptz not null,
  duration_ms   integer not null,
  -- SUCCEEDED or one of the closed list of failures in delivery-outcomes.ts.
  outcome       text not null,
  http_status   integer,
  -- The answer's beginning, at most 4 KiB.
  response_body text,
  address       text,
  primary key (delivery_id, attempt)
);
