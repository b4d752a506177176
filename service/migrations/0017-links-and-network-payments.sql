-- A fact opens only one operator's case, also when two transactions report the fact at the same
-- moment. Cases that an earlier version opened twice stay; each later case points to the first.
with doubled as (
  select id, first_value(id) over same as first_id, row_number() over same as place
  from operator_cases
  window same as (partition by kind, payment_request_id, details order by opened_at, id))
update operator_cases c
set details = c.details || jsonb_build_object('duplicateOf', d.first_id, 'duplicate', d.place)
from doubled d where d.id = c.id and d.place > 1;
create unique index operator_cases_once on operator_cases
  (kind, coalesce(payment_request_id, '00000000-0000-0000-0000-000000000000'), md5(details::text));

-- A network reference pays one payment request: a report searches here for another payment request
-- with its reference. The build of this index reads payment_requests once while writers wait. "if not
-- exists" lets an operator with millions of rows build it beforehand, with "concurrently".
create index if not exists payment_requests_by_network_reference on payment_requests (payment_network_reference)
  where payment_network_reference is not null;

-- The instant at which the network reported the end of its payment while the payment request was still
-- open: revoked (the merchant was suspended), or ended by the network itself. Opening the link then
-- creates a new payment at the network. null: the payer can pay at payer_url.
alter table network_requests add column payment_over_at timestamptz;
create index network_requests_payment_over on network_requests (payment_request_id)
  where payment_over_at is not null;

-- Peers that sent X-Forwarded-For and are not in TRUSTED_PROXIES. payreq doctor, another process,
-- reports them. The table has a few rows: a new row replaces the oldest, and a row lasts a week.
create table untrusted_forwarders (
  -- An IP address.
  peer         text collate "C" primary key,
  last_seen_at timestamptz not null default service_now()
);
