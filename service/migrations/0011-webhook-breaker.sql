-- How destinations fail: one that is well has no row. Every sending process judges by it, and by
-- service_now(), so that what one of them has learned holds for all.
create table webhook_destinations (
  -- As in webhook_deliveries: an endpoint, or a merchant's URLs of one origin.
  destination   text collate "C" primary key,
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
  check ((opened_at is null) = (next_probe_at is null))
);

-- Attempts that do not count towards the schedule's end: probes, and what was made before a delivery
-- was asked for again.
alter table webhook_deliveries add column uncounted_attempts integer not null default 0
  check (uncounted_attempts between 0 and attempts);

-- What a listener without an endpoint was owed is given up in the end: nobody could resume it.
alter table webhook_deliveries drop constraint webhook_deliveries_ended_because_check;
alter table webhook_deliveries add constraint webhook_deliveries_ended_because_check
  check (ended_because in ('ENDPOINT_DELETED', 'LISTENER_FAILING'));
