-- Where a merchant wants every event sent, beside the payment request's own webhookUrl. Deleting an
-- endpoint keeps what it was sent readable, so the row stays; its URL may be registered again.
create table webhook_endpoints (
  id                                uuid primary key,
  merchant_id                       text collate "C" not null references merchants,
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
  deleted_at                        timestamptz,
  -- Nothing more is sent to a deleted endpoint from that moment on.
  constraint webhook_endpoints_deleted_is_paused check (deleted_at is null or status = 'PAUSED')
);
create unique index webhook_endpoints_of_merchant on webhook_endpoints (merchant_id, url)
  where deleted_at is null;
-- Whose pending deliveries a loop still has to end.
create index webhook_endpoints_deleted on webhook_endpoints (id) where deleted_at is not null;
-- A gauge: endpoints that their merchant must resume.
create index webhook_endpoints_paused on webhook_endpoints (id)
  where status = 'PAUSED' and deleted_at is null;

-- The outbox and the feed: one row for every status change that a merchant must hear of, written in
-- the transaction that moved the status. The body's bytes are rendered once and never again. Tests
-- of an endpoint go the way of events, for the nil UUID as payment request, and are none: no feed,
-- no order and no count of a payment request's events knows them.
create table webhook_events (
  id                 uuid primary key,
  -- With the transaction's number, the feed's order: a cursor that stays below every transaction
  -- still running cannot skip a row that commits late.
  transaction_id     xid8 not null default pg_current_xact_id(),
  feed_position      bigint not null default commit_position(),
  merchant_id        text collate "C" not null references merchants,
  payment_request_id uuid not null,
  sequence           integer not null check (sequence >= 1),
  event_type         text not null,
  body               text not null,
  is_test            boolean not null default false,
  -- The W3C trace of the payment request's creation.
  trace_parent       text,
  -- The number of deliveries that the status change and replays have written for the event. It proves
  -- a lost delivery, although endpoints and their filters change later.
  owed_deliveries    smallint not null default 0 check (owed_deliveries >= 0),
  -- In the sandbox a payer's name can ask that the webhooks of its payment request misbehave
  -- (contract §8). Never set in production.
  misbehaviour       text check (misbehaviour in ('DUPLICATE', 'BAD_SIGNATURE', 'NO_WEBHOOK')),
  -- The payer was erased and the body redacted: it cannot be sent again as it was.
  erased_at          timestamptz,
  created_at         timestamptz not null default service_now(),
  unique (payment_request_id, sequence)
)
-- A table that only grows is vacuumed for its inserts: old pages are frozen in parts of a fiftieth.
-- Pruned rows leave dead entries at the old end, where the feed's first page and the next batch
-- begin: after a hundredth, not a fifth (decision 0022).
with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.01);
create index webhook_events_feed on webhook_events (merchant_id, transaction_id, feed_position);
-- A replay walks a merchant's events in the order of their time.
create index webhook_events_by_time on webhook_events (merchant_id, created_at, id)
  where not is_test;
-- How far the feed is behind what was committed: the oldest event that a transaction still running
-- keeps from being shown. The feed's own index begins with the merchant. On an expression, so that
-- no plan walks through all merchants' events here to find those of one.
create index webhook_events_by_transaction on webhook_events ((transaction_id::text::bigint));
-- Events are deleted after 90 days, the oldest first, with their deliveries.
create index webhook_events_to_prune on webhook_events (created_at);

-- The sequence of tests, which count on together, so that the number stays unique; no order is kept
-- among them.
create sequence webhook_test_events as integer cycle;

-- The newest transaction of whose events at least one was pruned: a place up to it may be gone, and
-- its cursor is still good. 0: none was.
create table webhook_events_pruned (
  only_row       boolean primary key default true check (only_row),
  transaction_id xid8 not null
);
insert into webhook_events_pruned (transaction_id) values ('0');

-- The function runs as the owner: the service's own role may not have the right to write the table.
create function note_pruned_events() returns trigger language plpgsql
security definer as $$
begin
  update webhook_events_pruned set transaction_id = newest.transaction_id
  from (select max(transaction_id) as transaction_id from gone) newest
  where newest.transaction_id > webhook_events_pruned.transaction_id;
  return null;
end $$;
create trigger webhook_events_note_pruned after delete on webhook_events
  referencing old table as gone for each statement execute function note_pruned_events();
-- Temporary tables last: none can replace the table for a function that runs as the owner.
do $$ begin
  execute format('alter function note_pruned_events() set search_path = %I, pg_temp',
                 current_schema());
end $$;

-- A merchant's wish to have what happened in a span of time sent to an endpoint (again). The row is
-- the job: its position moves in the transaction that queues deliveries, so that it goes on where it
-- was, in any process.
create table webhook_replays (
  id           uuid primary key,
  merchant_id  text collate "C" not null references merchants,
  endpoint_id  uuid not null references webhook_endpoints,
  -- From inclusive, to exclusive: by the events' own time.
  from_at      timestamptz not null,
  to_at        timestamptz not null,
  only_failed  boolean not null,
  -- Only events of this type, and deliveries by their latest attempt, one of LAST_ANSWERS; null: any.
  event_type   text,
  last_answer  text,
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
-- A merchant's replays for people, newest first: identifiers are in the order of time. There are
-- few of them: one at a time for an endpoint, each started by a call.
create index webhook_replays_of_merchant on webhook_replays (merchant_id, id);

-- A row stands for an event and one of the distinct URLs that it is for.
create table webhook_deliveries (
  id                  uuid primary key,
  event_id            uuid not null references webhook_events,
  merchant_id         text collate "C" not null,
  payment_request_id  uuid not null,
  sequence            integer not null,
  -- null: the payment request's own webhookUrl, with the merchant's default listener credentials.
  endpoint_id         uuid references webhook_endpoints,
  url                 text not null,
  -- Deliveries of one destination share a small number of connections: the endpoint's id, or the
  -- merchant with the URL's origin where there is no endpoint. While a call advances time, the
  -- deliveries of its payment request have destinations of their own.
  destination         text collate "C" not null,
  status              text not null default 'PENDING'
                        check (status in ('PENDING', 'SUCCEEDED', 'EXHAUSTED')),
  -- Why a delivery ended without being sent to its end; null where its attempts were used up. A
  -- delivery that was never attempted ends with the retention of its event.
  ended_because       text
    check (ended_because in ('ENDPOINT_DELETED', 'LISTENER_FAILING', 'RETENTION_ENDED')),
  attempts            integer not null default 0,
  -- Attempts that do not count towards the schedule's end: probes, and what was made before a
  -- delivery was asked for again.
  uncounted_attempts  integer not null default 0,
  -- When the next attempt falls due, by service_now(); null once the delivery is over.
  next_attempt_at     timestamptz default service_now(),
  -- A sender that holds the lease may send; whoever comes back after its end records nothing.
  lease_token         uuid,
  leased_until        timestamptz,
  -- The latest attempt, where it failed: its start, and its answer as one of LAST_ANSWERS. A success
  -- clears both, so that deliveries that arrive write no entry of their index.
  failed_at           timestamptz,
  failed_by           text,
  -- The latest replay that queued it.
  replay_id           uuid references webhook_replays,
  -- A first attempt that succeeded stands here: webhook_attempts has a row for each other attempt
  -- (decision 0077). All are null where the first attempt has a row there, has not been made, or was
  -- longer ago than attempts are kept.
  first_started_at    timestamptz,
  first_duration_ms   integer,
  first_http_status   integer,
  -- The answer's beginning, at most 4 KiB.
  first_response_body text,
  first_address       text,
  first_dns_ms        integer,
  first_connect_ms    integer,
  first_tls_ms        integer,
  first_byte_ms       integer,
  created_at          timestamptz not null default service_now(),
  completed_at        timestamptz,
  -- At most one without an endpoint. Not by the URL, which may be longer than an index entry.
  unique nulls not distinct (event_id, endpoint_id),
  check ((status = 'PENDING') = (next_attempt_at is not null)),
  check ((lease_token is null) = (leased_until is null)),
  check (uncounted_attempts between 0 and attempts)
)
-- Deliveries that an outage has gathered fill whole pages, and one claim leases all of a page. With
-- half of a page free, the new row versions stay in their page: a claim writes no index, and the
-- end of an attempt finds its row there. Vacuumed as payment_requests.
with (fillfactor = 50,
      autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_scale_factor = 0.002,
      vacuum_index_cleanup = on, autovacuum_analyze_scale_factor = 0.02);
-- By destination first, so that looking for what is due costs by the number of destinations, not by
-- the backlog of those that do not answer. Deliveries of one transaction fall due at one instant. An
-- entry for all of them cannot be marked dead while one lives, and each claim would read all rows of
-- the entry again; an entry for each delivery can be marked.
create index webhook_deliveries_due on webhook_deliveries (destination, next_attempt_at)
  with (deduplicate_items = off) where status = 'PENDING';
-- Where nothing is owed when statistics are taken, the planner believes that no row is PENDING and
-- that every index which holds only such rows is equally good. It then walks a backlog by payment
-- request to find what is due for a destination. Each kind of question therefore finds one index
-- whose condition it states: what is due by the status, the order of a payment request's events by
-- the time of the next attempt (which is there exactly while a delivery is PENDING), a merchant's
-- list by a condition that is always true. So is "sequence > 0": it keeps the second one from being
-- taken for the first, which asks for the time of the next attempt, too.
create index webhook_deliveries_in_order on webhook_deliveries (payment_request_id, sequence)
  where next_attempt_at is not null and sequence > 0;
create index webhook_deliveries_not_succeeded on webhook_deliveries (merchant_id, status, id)
  where status <> 'SUCCEEDED' and merchant_id <> '';
-- A merchant's deliveries that fail, the latest attempt first. Answer and endpoint narrow the list
-- inside of the index: among 100,000 that fail, a page reads the rows that it shows.
create index webhook_deliveries_failing
  on webhook_deliveries (merchant_id, failed_at, id, failed_by, endpoint_id)
  where failed_at is not null;
-- In the order of the list: among many that wait, the planner would walk all for the few that fail.
create index webhook_deliveries_failing_by_id
  on webhook_deliveries (merchant_id, id, failed_by, endpoint_id) where failed_at is not null;
create index webhook_deliveries_of_replay on webhook_deliveries (replay_id)
  where status = 'PENDING' and replay_id is not null;
-- A merchant's list, newest first: identifiers are in the order of time. The status lets the index
-- alone find what succeeded behind a hundred thousand that wait.
create index webhook_deliveries_of_merchant on webhook_deliveries (merchant_id, id, status);
create index webhook_deliveries_of_endpoint on webhook_deliveries (endpoint_id, id)
  where endpoint_id is not null;

-- A listener may have answered with the payer's data. The trigger erases that answer with the
-- event's body.
create function erase_first_answers() returns trigger language plpgsql as $$
begin
  update webhook_deliveries set first_response_body = null
  where event_id = new.id and first_response_body is not null;
  return null;
end $$;
create trigger webhook_events_erase_answers after update of erased_at on webhook_events
  for each row when (new.erased_at is not null)
  execute function erase_first_answers();

-- A row stands for each other attempt. Merchants and operators look at them when a webhook did not
-- arrive.
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
  -- Where the time of an attempt went; null for a part that did not take place, as on a connection
  -- that was kept from an attempt before.
  dns_ms        integer,
  connect_ms    integer,
  tls_ms        integer,
  first_byte_ms integer,
  -- In the sandbox a call brought the attempt forward: no circuit breaker counts it.
  is_advanced   boolean not null default false,
  primary key (delivery_id, attempt)
)
-- The figures have the reasons that stand at webhook_events.
with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.01);
-- Attempts of deliveries that live on, because they were sent again or are still owed.
create index webhook_attempts_to_prune on webhook_attempts (started_at);

-- The destination of an origin of a merchant: its requests are counted by this key, and deliveries to
-- its URLs wait under this key.
create function webhook_origin_key(merchant_id text, url text) returns text
  language sql immutable as $$
  select merchant_id || ' ' || coalesce(substring(url from '^https://[^/?#]*'), 'no origin')
$$;
-- The destination of one URL of a merchant. '~' sorts after every other destination, so that a walk
-- over the others stops before it; a hash, because a URL may be longer than an index entry.
create function webhook_url_key(merchant_id text, url text) returns text
  language sql stable as $$
  select '~' || encode(sha256(convert_to(merchant_id || ' ' || url, 'UTF8')), 'hex')
$$;

-- How destinations fail: an endpoint, an origin of a merchant, or one URL at such an origin; one that
-- is well has no row. Every sending process judges by it, and by service_now(), so that what one of
-- them has learned holds for all (decision 0030).
create table webhook_destinations (
  -- The values are those of webhook_deliveries.
  destination   text collate "C" primary key,
  -- Set for a URL only: the destination of its origin. updated_at is the instant of its last attempt.
  origin        text collate "C",
  url           text,
  -- Deliveries to the URL wait under the URL's own destination, not under its origin's destination.
  is_holding    boolean not null default false,
  -- In a row: one success ends it.
  failures      integer not null default 0,
  -- The last attempt timed out: one at a time, until it answers again.
  is_slow       boolean not null default false,
  -- Since when it is only probed, with what it is owed held back.
  opened_at     timestamptz,
  -- Failed ones, since then.
  probes        integer not null default 0,
  next_probe_at timestamptz,
  -- Where one may be sent at a time, it is being sent until then at the latest.
  alone_until   timestamptz,
  updated_at    timestamptz not null default service_now(),
  check ((opened_at is null) = (next_probe_at is null)),
  constraint webhook_destinations_url_check check ((origin is null) = (url is null)),
  constraint webhook_destinations_holding_check check (not is_holding or origin is not null)
);
-- The URLs of an origin that may be probed; a claim reads the first few of each origin.
create index webhook_destinations_turns on webhook_destinations (origin, next_probe_at)
  where is_holding;
-- The URLs of an unreachable origin, by their last attempt.
create index webhook_destinations_tried on webhook_destinations (origin, updated_at)
  where is_holding;
