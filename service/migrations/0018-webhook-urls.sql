-- Circuit breakers of URLs without an endpoint: see docs/decisions/0030-breakers-by-url-and-origin.md.
-- Code of the previous version reads and writes all of these tables without a change.

-- A webhook_destinations row is an endpoint, an origin of a merchant, or one URL at such an origin.
alter table webhook_destinations
  -- Set for a URL only: the destination of its origin. updated_at is the instant of its last attempt.
  add column origin     text collate "C",
  add column url        text,
  -- Deliveries to the URL wait under the URL's own destination, not under its origin's destination.
  add column is_holding boolean not null default false,
  add constraint webhook_destinations_url_check check ((origin is null) = (url is null)),
  add constraint webhook_destinations_holding_check check (not is_holding or origin is not null);
-- The URLs of an origin that may be probed; a claim reads the first few of each origin.
create index webhook_destinations_turns on webhook_destinations (origin, next_probe_at)
  where is_holding;
-- The URLs of an unreachable origin, by their last attempt.
create index webhook_destinations_tried on webhook_destinations (origin, updated_at)
  where is_holding;

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

-- A delivery that was never attempted ends with the retention of its event. The check is not
-- validated: existing rows obey the narrower check before it, and a scan would lock the table.
alter table webhook_deliveries drop constraint webhook_deliveries_ended_because_check;
alter table webhook_deliveries add constraint webhook_deliveries_ended_because_check
  check (ended_because in ('ENDPOINT_DELETED', 'LISTENER_FAILING', 'RETENTION_ENDED')) not valid;

-- Production now demands that an endpoint's origin is registered; existing origins are registered here.
update merchants m
set webhook_origins = m.webhook_origins || missing.origins
from (
  select e.merchant_id, array_agg(distinct substring(e.url from '^https://[^/?#]*')) as origins
  from webhook_endpoints e join merchants o on o.id = e.merchant_id
  where e.deleted_at is null and e.url like 'https://_%'
    and not substring(e.url from '^https://[^/?#]*') = any (o.webhook_origins)
  group by e.merchant_id) missing
where m.id = missing.merchant_id;
