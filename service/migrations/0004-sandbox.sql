-- What the sandbox's simulator will do to a payment request, and when. Rows are written in the
-- transaction that creates the request, so an outcome that fell due while the service was down
-- happens at its next start (contract, section 8).
create table sandbox_steps (
  payment_request_id uuid not null references payment_requests,
  position           smallint not null,
  due_at             timestamptz not null,
  -- What happens, by the names of sandbox/outcomes.ts.
  action             text not null,
  reason_code        text,
  -- Whoever claimed the step has until then; after that another process may do it again, which the
  -- table of transitions makes harmless.
  claimed_until      timestamptz,
  attempts           smallint not null default 0,
  done_at            timestamptz,
  primary key (payment_request_id, position)
);
create index sandbox_steps_due on sandbox_steps (due_at) where done_at is null;
