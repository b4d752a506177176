-- The simulated network's own books: a refusal that the payer can correct is offered to the payer
-- before it is reported (decision 0036), and the browser that confirmed is known (decision 0037).

alter table gateway_payments
  -- Refusals that payers could correct; the last that is allowed refuses the payment.
  add column refusals     smallint not null default 0,
  -- The id of the session that confirmed, declined or was refused: the words of its page differ.
  add column decided_by bytea,
  -- The data of the merchant that pages show, and the merchant's own page; null: none is known.
  add column merchant_profile    jsonb,
  add column merchant_return_url text,
  -- ASKED: a payer has confirmed and the institution has not answered; no money has moved.
  drop constraint gateway_payments_state_check;
-- Not validated: existing rows obey the narrower check before it, and a scan would lock the table.
alter table gateway_payments add constraint gateway_payments_state_check
  check (state in ('OPEN', 'ASKED', 'CONFIRMED', 'ACCEPTED', 'SETTLED', 'REFUSED', 'CANCELLED'))
  not valid;
create index gateway_payments_asked on gateway_payments (settles_at) where state = 'ASKED';

-- The refusal that this browser's payer is told; null: none, or another institution was chosen since.
alter table gateway_sessions add column refusal_reason text;

-- Code of the previous version treats ASKED as over, and its own rows have no refusal
-- (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (27, 15);
