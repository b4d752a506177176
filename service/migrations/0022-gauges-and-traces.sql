-- The gauges of every process count rows every few seconds, and must not search ten million rows for
-- them. Each index holds only the few rows that a gauge counts (decision 0033).

-- Payments in progress. The build of this index reads payment_requests once while writers wait. "if not
-- exists" lets an operator with millions of rows build it beforehand, with "concurrently".
create index if not exists payment_requests_processing on payment_requests (id)
  where status = 'PROCESSING';

-- Endpoints that their merchant must resume.
create index if not exists webhook_endpoints_paused on webhook_endpoints (id)
  where status = 'PAUSED' and deleted_at is null;

-- Identifiers that follow a payment: the X-Request-Id of a call, for the timeline, and the W3C trace of
-- the creation, which the webhooks of the payment request continue.
alter table payment_requests add column request_id text, add column trace_parent text;
-- The request id of every later status; payment_requests has the creation's request id.
alter table payment_request_events add column request_id text;
alter table payment_request_timeline add column request_id text;
alter table webhook_events add column trace_parent text;

-- Code of the previous version leaves the columns empty (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (22, 15);
