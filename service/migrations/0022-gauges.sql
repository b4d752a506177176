-- What the gauges of every process count every few seconds must not be looked for among ten million
-- rows. Each index holds only the few rows that are asked for (decision 0033).

-- Payments under way. Building it reads payment_requests once while writers wait; "if not exists",
-- so that an operator of millions can build it beforehand, with "concurrently".
create index if not exists payment_requests_processing on payment_requests (id)
  where status = 'PROCESSING';

-- Endpoints that their merchant has to resume.
create index if not exists webhook_endpoints_paused on webhook_endpoints (id)
  where status = 'PAUSED' and deleted_at is null;
