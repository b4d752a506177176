-- A database of BANK_DEMO holds made accounts and made money. The mark is for ever: a start as
-- anything else than a demo is refused, and commands that make money refuse other databases.
alter table deployment add column is_bank_demo boolean not null default false;

alter table bank_transfer_requests
  -- The settled payment, as it was reported; the network answers with it when it is asked.
  add column outcome jsonb,
  add constraint bank_transfer_requests_outcome check (state <> 'PAID' or outcome is not null);

-- Code of the previous version leaves the columns as they are (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (34, 15);
