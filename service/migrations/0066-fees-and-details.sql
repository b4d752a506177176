-- What a bank states of an entry beside its amount (bank-transfer §3).
alter table bank_entries
  -- Charges: money that came in is less by them, money that left is more.
  add column fee_cents    bigint not null default 0,
  -- TxAmt, InstdAmt and the amount before stated charges, of a payment alone in its entry.
  add column stated_cents bigint[] not null default '{}',
  -- The details of an entry that do not add up: amounts, currencies and references of ours.
  add column details      jsonb not null default '[]',
  -- MsgIds of payment files of ours that the whole entry executes.
  add column message_ids  text[] not null default '{}',
  -- The payer's text, encrypted: only of an entry that matched nothing, which is kept for 30 days.
  add column text_box     bytea;
-- The rows whose boxes get a new key.
create index bank_entries_with_boxes on bank_entries (id)
  where matched_at is null or text_box is not null;
-- The statements that list refunds and batches of a day; movements have an index of their own.
create index bank_entries_by_day on bank_entries (booking_date) where outcome <> 'MOVEMENT';
alter table bank_movements
  add column fee_cents     bigint not null default 0,
  add column details       jsonb not null default '[]',
  -- The day on which a camt.053 lists the money; booking_date stays that of the ledger.
  add column statement_day date;

-- The charges of a bank stand in the ledger.
alter table ledger_entries drop constraint ledger_entries_type_check;
-- Not valid: every row holds one of the types of before, and a check of all would lock the table.
alter table ledger_entries add constraint ledger_entries_type_check check
  (type in ('PAYMENT', 'LATE_PAYMENT', 'PART_PAYMENT', 'SECOND_PAYMENT', 'UNMATCHED', 'ASSIGNED',
   'RETURN', 'REFUND', 'REFUND_RETURN', 'ADJUSTMENT', 'FEE')) not valid;
-- The charges of a movement enter the ledger once, however often they are reported.
create unique index ledger_entries_fee_once on ledger_entries (network_reference, refund_id)
  nulls not distinct where type = 'FEE';

-- Code of the previous version leaves these columns as they are (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (66, 15);
