-- A database of BANK_DEMO holds made accounts and made money. The mark is for ever: a start as
-- anything else than a demo is refused, and commands that make money refuse other databases.
alter table deployment add column is_bank_demo boolean not null default false;

alter table bank_transfer_requests
  -- The settled payment, as it was reported; the network answers with it when it is asked. null: no
  -- payment, or an operator gave money to the payment request and so made it PAID.
  add column outcome jsonb,
  -- When this service cancelled it, also after its expiry.
  add column cancelled_at timestamptz,
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

-- A payment request that is PAID asks for no more money, also when an operator made it PAID. The
-- page shows no account from then on. A trigger, so that it commits with the status.
create function tell_bank_transfer_of_payment() returns trigger language plpgsql as $$
declare changed text;
begin
  update bank_transfer_requests set state = 'PAID', version = version + 1
  where payment_request_id = new.id and state <> 'PAID' returning page_key into changed;
  if found then perform pg_notify('bank_transfer_changes', changed); end if;
  return null;
end $$;
create trigger payment_requests_tell_bank_transfer after update of status on payment_requests
  for each row when (new.status = 'PAID' and old.status <> 'PAID')
  execute function tell_bank_transfer_of_payment();

-- Every open page looks whether its account is closed: the empty text names no single page.
create function tell_bank_transfer_of_account() returns trigger language plpgsql as $$
begin
  perform pg_notify('bank_transfer_changes', '');
  return null;
end $$;
create trigger creditor_accounts_tell_bank_transfer after update of closed_at on creditor_accounts
  for each row when (old.closed_at is distinct from new.closed_at)
  execute function tell_bank_transfer_of_account();

-- Code of the previous version leaves the columns as they are (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (34, 15);
