-- Refunds that the bank-transfer network gives back by credit transfers.
create table bank_refunds (
  -- The idempotent reference; without its dashes the EndToEndId of the credit transfer.
  refund_id           uuid primary key references refunds,
  payment_request_id  uuid not null references payment_requests,
  -- The account that received the money; the refund leaves from it.
  account_id          uuid not null references creditor_accounts,
  -- The one movement that the refund gives back; null: the movements of the payment, which all came
  -- from one account.
  movement_reference  text,
  amount_cents        bigint not null check (amount_cents > 0),
  currency            text not null check (currency ~ '^[A-Z]{3}$'),
  message             text,
  -- Name and account of the payer, encrypted. null: the refund is over, and the payer is erased.
  creditor_encrypted  bytea,
  -- SENT: it stands in a payment file.
  state               text not null default 'QUEUED' check (state in
                        ('QUEUED', 'SENT', 'COMPLETED', 'FAILED', 'RETURNED')),
  -- The file that carries it; null: none does.
  message_id          text collate "C",
  -- How it ended, as it was reported: the network answers with it when it is asked.
  outcome             jsonb,
  created_at          timestamptz not null default service_now(),
  constraint bank_refunds_message check ((state = 'QUEUED') = (message_id is null) or state = 'FAILED'),
  constraint bank_refunds_outcome check ((outcome is null) = (state in ('QUEUED', 'SENT'))),
  constraint bank_refunds_creditor check (creditor_encrypted is not null
                                          or state not in ('QUEUED', 'SENT'))
);
create index bank_refunds_queued on bank_refunds (account_id, created_at) where state = 'QUEUED';
create index bank_refunds_of_file on bank_refunds (message_id) where message_id is not null;
create index bank_refunds_of_payment_request on bank_refunds (payment_request_id);
create index bank_refunds_of_movement on bank_refunds (movement_reference)
  where movement_reference is not null;

-- Payment files (pain.001), written in the transaction that makes their refunds PROCESSING. The bytes
-- are encrypted: they hold names and accounts of payers.
create table bank_payment_files (
  -- The MsgId, by which the bank refuses the same file a second time.
  message_id      text collate "C" primary key check (message_id ~ '^[0-9A-Z-]{1,35}$'),
  -- The account that pays.
  account_id      uuid not null references creditor_accounts,
  refunds         integer not null check (refunds > 0),
  total_cents     bigint not null check (total_cents > 0),
  -- null: older than BANK_FILES_KEEP, and every refund in it is over.
  bytes_encrypted bytea,
  created_at      timestamptz not null default service_now(),
  -- When the file stood complete in its folder under its temporary name. null: it has to be written.
  written_at      timestamptz,
  -- The temporary name of the writer that may give the file its final name.
  written_as      text,
  constraint bank_payment_files_written check ((written_at is null) = (written_as is null))
);
create index bank_payment_files_unwritten on bank_payment_files (created_at)
  where written_at is null;
alter table bank_refunds add constraint bank_refunds_file
  foreign key (message_id) references bank_payment_files;

-- The money of a day, for its reconciliation.
create index bank_movements_by_day on bank_movements (booking_date);

-- Code of the previous version leaves the tables as they are (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (39, 15);
