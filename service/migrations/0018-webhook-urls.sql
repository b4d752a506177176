-- How URLs without an endpoint fail: see docs/decisions/0030-breakers-by-url-and-origin.md. Code of
-- the version before reads and writes all of these tables as it did.

-- A webhook_destinations row is an endpoint, an origin of a merchant, or one URL at such an origin.
alter table webhook_destinations
  -- Of a URL only: the destination of its origin. updated_at is when the URL was last tried.
  add column origin     text collate "C",
  add column url        text,
  -- Deliveries to the URL wait under the URL's own destination, not under that of its origin.
  add column is_holding boolean not null default false,
  add constraint webhook_destinations_url_check check ((origin is null) = (url is null)),
  add constraint webhook_destinations_holding_check check (not is_holding or origin is not null);
-- Which URLs of an origin may be probed; a claim reads the first few of each origin.
create index webhook_destinations_turns on webhook_destinations (origin, next_probe_at)
  where is_holding;
-- Which URL of an origin that is down was tried longest ago.
create index webhook_destinations_tried on webhook_destinations (origin, updated_at)
  where is_holding;

-- What requests to one origin of a merchant count under, and where deliveries to its URLs wait.
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

-- A delivery that was never attempted ends when its event has been kept for its time. Not validated:
-- the rows there are obey the narrower check before it, and a scan would hold the table.
alter table webhook_deliveries drop constraint webhook_deliveries_ended_because_check;
alter table webhook_deliveries add constraint webhook_deliveries_ended_because_check
  check (ended_because in ('ENDPOINT_DELETED', 'LISTENER_FAILING', 'RETENTION_ENDED')) not valid;

-- In production an endpoint's origin has to be registered from now on; those that exist go on.
update merchants m
set webhook_origins = m.webhook_origins || missing.origins
from (
  select e.merchant_id, array_agg(distinct substring(e.url from '^https://[^/?#]*')) as origins
  from webhook_endpoints e join merchants o on o.id = e.merchant_id
  where e.deleted_at is null and e.url like 'https://_%'
    and not substring(e.url from '^https://[^/?#]*') = any (o.webhook_origins)
  group by e.merchant_id) missing
where m.id = missing.merchant_id;
