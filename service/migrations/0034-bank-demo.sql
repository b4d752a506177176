-- A database of BANK_DEMO holds made accounts and made money. The mark is for ever: a start as
-- anything else than a demo is refused, and commands that make money refuse other databases.
alter table deployment add column is_bank_demo boolean not null default false;

alter table bank_transfer_requests
  -- The settled payment, as it was reported; the network answers with it when it is asked.
  add column outcome jsonb,
  -- When this service cancelled it, also after its expiry.
  add column cancelled_at timestamptz,
  add constraint bank_transfer_requests_outcome check (state <> 'PAID' or outcome is not null),
  add constraint bank_transfer_requests_cancelled_at
    check (state <> 'CANCELLED' or cancelled_at is not null);

-- The holder's postal address, which the QR code of a Swiss QR-bill must name: street, postalCode,
-- town, country. null: unknown.
alter table creditor_accounts
  add column address jsonb,
  add constraint creditor_accounts_address check (
    address is null
    or (char_length(address->>'postalCode') between 1 and 16
        and char_length(address->>'town') between 1 and 35
        and address->>'country' ~ '^[A-Z]{2}$'
        and coalesce(char_length(address->>'street') between 1 and 70, true)) is true);

-- Code of the previous version leaves the columns as they are (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (34, 15);
