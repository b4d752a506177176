-- The files of a bank, in the order of their arrival. A file is known by its bytes: names are chosen
-- by others.
create table bank_files (
  id           uuid primary key,
  sha256       bytea not null unique check (octet_length(sha256) = 32),
  size_bytes   integer not null,
  -- RECEIVED: the bytes are stored. STAGED: every entry is stored, and the file counts.
  -- COMPLETE: every entry is matched. REFUSED: nothing of the file counts.
  state        text not null default 'RECEIVED'
                 check (state in ('RECEIVED', 'STAGED', 'COMPLETE', 'REFUSED')),
  kind         text check (kind in ('camt.052', 'camt.053', 'camt.054', 'pain.002')),
  -- The sentence that says why the file is refused; it quotes nothing of the file.
  reason       text,
  received_at  timestamptz not null default service_now(),
  completed_at timestamptz,
  constraint bank_files_reason check ((state = 'REFUSED') = (reason is not null))
);
-- Few files are unfinished at any moment.
create index bank_files_open on bank_files (received_at) where state in ('RECEIVED', 'STAGED');
create index bank_files_by_time on bank_files (received_at);

-- The bytes of a file, encrypted, in parts of 256 KiB: no statement holds the whole file in memory.
create table bank_file_parts (
  id          uuid primary key,
  file_id     uuid not null references bank_files on delete cascade,
  part_number integer not null,
  box         bytea not null,
  constraint bank_file_parts_number unique (file_id, part_number)
);

-- The statements of our accounts inside the files.
create table bank_statements (
  id              uuid primary key,
  file_id         uuid not null references bank_files,
  kind            text not null check (kind in ('camt.052', 'camt.053', 'camt.054')),
  -- In the bank's writing: for a Swiss QR-IBAN the ordinary IBAN of the same account.
  account         text collate "C" not null,
  -- The bank's id and number of the statement.
  bank_id         text,
  sequence_number text,
  currency        text,
  -- The day of the closing balance, else the latest booking day.
  day             date,
  opening_cents   bigint,
  closing_cents   bigint,
  -- The sum of the booked entries, signed.
  entries_cents   bigint not null default 0,
  entry_count     integer not null default 0,
  created_at      timestamptz not null default service_now()
);
create index bank_statements_of_account on bank_statements (account, day);
create index bank_statements_of_file on bank_statements (file_id);

-- Money that moved once, however many files and messages carry it (bank-transfer §3).
create table bank_movements (
  id                  uuid primary key,
  -- The order in which movements are decided and reported.
  position            bigint generated always as identity,
  account             text collate "C" not null references creditor_ibans,
  direction           text not null check (direction in ('CREDIT', 'DEBIT')),
  amount_cents        bigint not null check (amount_cents > 0),
  currency            text not null,
  booking_date        date,
  booked_at           timestamptz not null,
  -- References of ours in the entry: structured, in the text, or as EndToEndId.
  creditor_references text[] not null default '{}',
  -- SHA-256 of the EndToEndId: payers may write into it.
  end_to_end_hash     bytea,
  -- The bank's reference of this payment alone.
  bank_reference      text,
  -- The bank's reference of the entry that holds several payments.
  entry_reference     text,
  batch_reference     text,
  -- Unique for ever: the bank's reference where no other movement has it, else the row's id.
  network_reference   text collate "C" not null unique,
  institution         text not null,
  -- Name and account of the other side, encrypted; null once they are erased or were not given.
  party_box           bytea,
  -- false: a camt.052 or camt.054 without the bank's reference told of it, and no camt.053 yet.
  is_confirmed        boolean not null,
  -- A camt.053 has listed it.
  is_in_statement     boolean not null default false,
  is_return           boolean not null default false,
  return_reason       text,
  -- WAITING: not confirmed, and too uncertain to be reported.
  outcome             text not null check (outcome in
                        ('WAITING', 'EXACT', 'PART', 'EXCESS', 'SECOND', 'OTHER_CURRENCY',
                         'UNMATCHED_MONEY', 'WRONG_ACCOUNT', 'AMBIGUOUS_REFERENCE',
                         'AMOUNT_ABOVE_LIMIT', 'RETURNED', 'REFUNDED_OUTSIDE')),
  -- The payment request that the money names; no foreign key, since its rows end earlier.
  payment_request_id  uuid,
  -- Payment requests that may be meant.
  candidates          uuid[] not null default '{}',
  -- The sum with this movement, for EXACT and EXCESS.
  sum_cents           bigint,
  -- The movements of that sum, this one included.
  summed              uuid[] not null default '{}',
  -- RETURNED: the movement that is undone. null: unknown.
  returned_id         uuid references bank_movements,
  created_at          timestamptz not null default service_now(),
  -- The payment requests have heard of it.
  reported_at         timestamptz
);
create index bank_movements_by_bank_reference on bank_movements (bank_reference)
  where bank_reference is not null;
create index bank_movements_by_entry_reference on bank_movements (entry_reference)
  where entry_reference is not null;
create index bank_movements_by_batch_reference on bank_movements (batch_reference, booking_date)
  where batch_reference is not null;
create index bank_movements_by_end_to_end on bank_movements (end_to_end_hash, booking_date)
  where end_to_end_hash is not null;
create index bank_movements_by_creditor_reference on bank_movements using gin (creditor_references);
create index bank_movements_of_payment_request on bank_movements (payment_request_id)
  where payment_request_id is not null;
create index bank_movements_to_report on bank_movements (position)
  where reported_at is null and outcome <> 'WAITING';
create index bank_movements_of_return on bank_movements (returned_id)
  where returned_id is not null;

-- Each payment that an entry of a statement holds.
create table bank_entries (
  id                  uuid primary key,
  file_id             uuid not null references bank_files,
  statement_id        uuid not null references bank_statements,
  account             text collate "C" not null references creditor_ibans,
  -- The entry's place in the statement, and the payment's place in the entry.
  entry_number        integer not null,
  payment_number      integer not null,
  -- Payments with a bank's reference find their money first: the others take what is left.
  rank                smallint not null,
  direction           text not null,
  amount_cents        bigint not null,
  currency            text not null,
  is_booked           boolean not null,
  is_reversal         boolean not null,
  is_return           boolean not null,
  return_reason       text,
  -- The sum of a batch whose payments a camt.054 lists one by one.
  is_batch_sum        boolean not null,
  booking_date        date,
  booked_at           timestamptz,
  creditor_references text[] not null default '{}',
  end_to_end_hash     bytea,
  -- Identifiers of refunds of ours, as EndToEndId.
  refund_ids          uuid[] not null default '{}',
  bank_reference      text,
  entry_reference     text,
  batch_reference     text,
  institution         text,
  -- Name and account of the other side, encrypted; null once the entry is matched.
  party_box           bytea,
  -- SHA-256 of what names the money: the only trace of an ordinary entry.
  fingerprint         bytea not null,
  movement_id         uuid references bank_movements,
  outcome             text check (outcome in
                        ('MOVEMENT', 'REFUND', 'PENDING', 'BATCH_SUM', 'ORDINARY')),
  matched_at          timestamptz,
  constraint bank_entries_place unique (statement_id, entry_number, payment_number),
  constraint bank_entries_matched check
    ((matched_at is null) = (outcome is null)
     and (outcome is not distinct from 'MOVEMENT') = (movement_id is not null))
);
create index bank_entries_to_match on bank_entries (file_id, rank, entry_number, payment_number)
  where matched_at is null;
create index bank_entries_of_movement on bank_entries (movement_id)
  where movement_id is not null;
create index bank_entries_unmatched on bank_entries (matched_at)
  where outcome in ('ORDINARY', 'BATCH_SUM');

-- Hints for money with an unknown reference: open payment requests of the account and the amount.
create index bank_transfer_requests_open_amounts on bank_transfer_requests
  (account_id, amount_cents) where state = 'OPEN';
-- Whether a former version of an account still counts: the end of the last request that showed it.
drop index bank_transfer_requests_of_account;
create index bank_transfer_requests_of_account on bank_transfer_requests (account_id, expires_at);

-- Code of the previous version leaves these tables as they are (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (32, 15);
