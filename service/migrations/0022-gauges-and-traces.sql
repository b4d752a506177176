-- What the gauges of every process count every few seconds must not be looked for among ten million
-- rows. Each index holds only the few rows that are asked for (decision 0033).

-- Payments under way. Building it reads payment_requests once while writers wait; "if not exists",
-- so that an operator of millions can build it beforehand, with "concurrently".
create index if not exists payment_requests_processing on payment_requests (id)
  where status = 'PROCESSING';

-- Endpoints that their merchant has to resume.
create index if not exists webhook_endpoints_paused on webhook_endpoints (id)
  where status = 'PAUSED' and deleted_at is null;

-- One id follows a payment: the call that did something, by its X-Request-Id, for the timeline; and
-- the W3C trace in which the payment request was created, which its webhooks go on with.
alter table payment_requests add column request_id text, add column trace_parent text;
-- Of every later status; the creation's stands in payment_requests.
alter table payment_request_events add column request_id text;
alter table payment_request_timeline add column request_id text;
alter table webhook_events add column trace_parent text;

-- Code of the version before leaves the columns empty (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (22, 15);
