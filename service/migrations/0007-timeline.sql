-- Why a status was reached, kept with the event: the payment request itself only knows its last
-- reason, which money that arrives late takes away.
alter table payment_request_events add column reason_code text;

-- What the timeline of a payment request tells beside status changes and webhook attempts, which
-- have tables of their own. No payer data but a cancellation's comment; of an update only the names
-- of what changed.
create table payment_request_timeline (
  -- Also the order of entries of one instant.
  id                 bigint generated always as identity primary key,
  payment_request_id uuid not null references payment_requests,
  type               text not null check (type in
                       ('LINK_OPENED', 'PAYER_STEP', 'CANCELLATION_REQUESTED', 'UPDATED')),
  occurred_at        timestamptz not null,
  details            jsonb not null default '{}'
);
create index payment_request_timeline_of_request
  on payment_request_timeline (payment_request_id, type, id);
