-- Erasures of payers that something still keeps, such as a webhook that waits for its listener. A
-- background loop carries them out (decision 0105). A row goes with its erasure.
create table payer_erasures (
  payment_request_id uuid primary key references payment_requests,
  merchant_id        text collate "C" not null references merchants,
  because            text not null check
                       (because in ('NOT_OVER', 'WEBHOOK_OWED', 'REFUND_OPEN', 'CASE_OPEN')),
  asked_by           text not null check (length(asked_by) between 1 and 200),
  asked_at           timestamptz not null,
  -- By service_now().
  next_look_at       timestamptz not null
);
create index payer_erasures_due on payer_erasures (next_look_at);

-- Code of the previous version leaves the table as it is (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (64, 15);
