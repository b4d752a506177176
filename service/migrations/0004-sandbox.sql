-- What the sandbox's simulator will do to a payment request, and when. Rows are written in the
-- transaction that creates the request, so an outcome that fell due while the service was down
-- happens at its next start (contract, section 8).
create table sandbox_steps (
  payment_request_id uuid not null references payment_requests,
  position           smallint not null,
  due_at             timestamptz not null,
  -- A cause of payment-request-states.ts with what it needs.
  action             text not null,
  reason_code        text,
  done_at            timestamptz,
  primary key (payment_request_id, position)
);
create index sandbox_steps_due on sandbox_steps (due_at) where done_at is null;
