-- One fact is one operator's case, also when two transactions report it at the same moment. Cases
-- that an earlier version opened twice stay, each later one with a pointer to the first.
with doubled as (
  select id, first_value(id) over same as first_id, row_number() over same as place
  from operator_cases
  window same as (partition by kind, payment_request_id, details order by opened_at, id))
update operator_cases c
set details = c.details || jsonb_build_object('duplicateOf', d.first_id, 'duplicate', d.place)
from doubled d where d.id = c.id and d.place > 1;
create unique index operator_cases_once on operator_cases
  (kind, coalesce(payment_request_id, '00000000-0000-0000-0000-000000000000'), md5(details::text));

-- One network reference is one payment: a report looks here whether another payment request has its
-- reference. Building it reads payment_requests once while writers wait; "if not exists", so that an
-- operator of millions can build it beforehand, with "concurrently".
create index if not exists payment_requests_by_network_reference on payment_requests (payment_network_reference)
  where payment_network_reference is not null;

-- When the network said that its payment is over while the payment request is still open: taken back
-- (the merchant was suspended), or ended by the network itself. Opening the link then creates a new
-- payment there. null: the payer can pay at payer_url.
alter table network_requests add column payment_over_at timestamptz;
create index network_requests_payment_over on network_requests (payment_request_id)
  where payment_over_at is not null;

-- Peers that sent X-Forwarded-For and are not in TRUSTED_PROXIES, so that payreq doctor, which is
-- another process, can tell. A few rows: the oldest gives way, and a week later a row is deleted.
create table untrusted_forwarders (
  -- An IP address.
  peer         text collate "C" primary key,
  last_seen_at timestamptz not null default service_now()
);
