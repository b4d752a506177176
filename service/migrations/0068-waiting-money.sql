-- The money that is there for a payment request: what counts and what waits for an operator, in
-- cents. The network's page shows it. What was given back or taken back is no part of it.
alter table network_requests add column there_cents bigint not null default 0
  check (there_cents >= 0);

-- The page of a bank transfer shows the sum. A trigger, so that it commits with the money, whoever
-- moves it: a report, a refund or an operator.
create function tell_bank_transfer_of_money() returns trigger language plpgsql as $$
declare changed text;
begin
  update bank_transfer_requests
  set received_cents = new.there_cents, announced_at = null, version = version + 1
  where payment_request_id = new.payment_request_id and received_cents <> new.there_cents
  returning page_key into changed;
  if found then perform pg_notify('bank_transfer_changes', changed); end if;
  return null;
end $$;
create trigger network_requests_tell_bank_transfer after update of there_cents on network_requests
  for each row execute function tell_bank_transfer_of_money();

-- As in migration 0034, and with the sum that has paid.
create or replace function tell_bank_transfer_of_payment() returns trigger language plpgsql as $$
declare changed text;
begin
  update bank_transfer_requests
  set state = 'PAID', version = version + 1,
    received_cents = greatest(0, new.received_cents - new.returned_cents)
  where payment_request_id = new.id and state <> 'PAID' returning page_key into changed;
  if found then perform pg_notify('bank_transfer_changes', changed); end if;
  return null;
end $$;

update network_requests n set there_cents = r.received_cents
from bank_transfer_requests r
where r.payment_request_id = n.payment_request_id and r.received_cents > 0 and r.state <> 'PAID';

-- What became of a movement: its refunds, its returns, and the cases that name it.
create index refunds_of_movement on refunds (movement_reference)
  where movement_reference is not null;
create index operator_cases_by_returned_reference on operator_cases
  ((details ->> 'returnedReference')) where kind = 'MONEY_RETURNED';
create index operator_cases_by_references on operator_cases
  using gin ((details -> 'networkReferences'));

-- Code of the previous version leaves the column as it is (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (68, 15);
