-- Deleting an endpoint keeps what it was sent readable, so the row stays; its URL may be registered
-- again. A deleted endpoint is also PAUSED: nothing more is sent to it from that moment on.
alter table webhook_endpoints add column deleted_at timestamptz;
alter table webhook_endpoints add constraint webhook_endpoints_deleted_is_paused
  check (deleted_at is null or status = 'PAUSED');
alter table webhook_endpoints drop constraint webhook_endpoints_merchant_id_url_key;
create unique index webhook_endpoints_of_merchant on webhook_endpoints (merchant_id, url)
  where deleted_at is null;
-- Whose pending deliveries a loop still has to end.
create index webhook_endpoints_deleted on webhook_endpoints (id) where deleted_at is not null;

-- Tests of an endpoint go the way of events, for the nil UUID as payment request, and are none: no
-- feed, no order and no count of a payment request's events knows them.
alter table webhook_events add column is_test boolean not null default false;
-- Its payer was erased and the body redacted: it cannot be sent again as it was.
alter table webhook_events add column erased_at timestamptz;
-- They count on together, so that the number stays unique; no order is kept among them.
create sequence webhook_test_events as integer cycle;
-- A replay walks a merchant's events in the order of their time.
create index webhook_events_by_time on webhook_events (merchant_id, created_at, id)
  where not is_test;

-- A merchant's wish to have what happened in a span of time sent to an endpoint (again). The row is
-- the job: its position moves in the transaction that queues deliveries, so that it goes on where it
-- was, in any process.
create table webhook_replays (
  id           uuid primary key,
  merchant_id  text not null references merchants,
  endpoint_id  uuid not null references webhook_endpoints,
  -- From inclusive, to exclusive: by the events' own time.
  from_at      timestamptz not null,
  to_at        timestamptz not null,
  only_failed  boolean not null,
  status       text not null default 'RUNNING'
                 check (status in ('RUNNING', 'COMPLETED', 'CANCELLED')),
  -- The last event that was looked at; at first the place before the first one.
  position_at  timestamptz not null,
  position_id  uuid not null default '00000000-0000-0000-0000-000000000000',
  examined     bigint not null default 0,
  queued       bigint not null default 0,
  created_at   timestamptz not null default service_now(),
  completed_at timestamptz,
  check ((status = 'RUNNING') = (completed_at is null))
);
-- At most one at a time for an endpoint; also what the loop looks for.
create unique index webhook_replays_running on webhook_replays (endpoint_id)
  where status = 'RUNNING';

-- Why a delivery ended without being sent to its end; null where its attempts were used up.
alter table webhook_deliveries add column ended_because text
  check (ended_because in ('ENDPOINT_DELETED'));
-- The latest replay that queued it.
alter table webhook_deliveries add column replay_id uuid references webhook_replays;
create index webhook_deliveries_of_replay on webhook_deliveries (replay_id)
  where status = 'PENDING' and replay_id is not null;
-- A merchant's list, newest first: identifiers are in the order of time.
create index webhook_deliveries_of_merchant on webhook_deliveries (merchant_id, id);
create index webhook_deliveries_of_endpoint on webhook_deliveries (endpoint_id, id)
  where endpoint_id is not null;
-- What is under way or was given up is found among millions that went well.
create index webhook_deliveries_not_succeeded on webhook_deliveries (merchant_id, status, id)
  where status <> 'SUCCEEDED';

-- Where the time of an attempt went; null for a part that did not take place, as on a connection
-- that was kept from an attempt before.
alter table webhook_attempts
  add column dns_ms        integer,
  add column connect_ms    integer,
  add column tls_ms        integer,
  add column first_byte_ms integer;
