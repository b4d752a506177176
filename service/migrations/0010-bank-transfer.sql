-- The payment requests that the bank-transfer network knows: the data of each page, and the reference
-- by which the money is recognised. A row is kept for 13 months after the end of its request: money
-- can arrive late.
create table bank_transfer_requests (
  payment_request_id  uuid primary key,
  -- In the page's address, with the mark of its cell: the holder of the key sees the page. It proves
  -- nothing.
  page_key            text collate "C" not null unique
                        check (page_key ~ '^(c([2-9]|[1-9][0-9]{1,2})-)?[0-9A-Za-z]{22}$'),
  merchant_id         text collate "C" not null references merchants,
  -- Electronic form: RF creditor reference, or 27 digits (QR reference) with a QR-IBAN.
  reference           text collate "C" not null unique
                        check (reference ~ '^(RF[0-9]{2}[0-9A-Z]{1,21}|[0-9]{27})$'),
  -- The version of the account that the page shows. Money on another account is a case.
  account_id          uuid not null references creditor_accounts,
  amount_cents        bigint not null check (amount_cents > 0),
  currency            text not null check (currency ~ '^[A-Z]{3}$'),
  merchant_name       text not null,
  merchant_profile    jsonb not null default '{}',
  merchant_return_url text,
  display_message     text,
  invoice_number      text,
  preferred_language  text,
  payment_link        text not null,
  qr_code_link        text not null,
  return_url          text not null,
  expires_at          timestamptz not null,
  state               text not null default 'OPEN' check (state in ('OPEN', 'PAID', 'CANCELLED')),
  -- The sum that the page shows: the parts that have arrived, or the sum that has paid.
  received_cents      bigint not null default 0 check (received_cents >= 0),
  -- The settled payment, as it was reported; the network answers with it when it is asked. null: no
  -- payment, or an operator gave money to the payment request and so made it PAID.
  outcome             jsonb,
  -- A bank has announced money that is not booked yet.
  announced_at        timestamptz,
  -- The payer said that the transfer was sent.
  sent_at             timestamptz,
  -- When this service cancelled it, also after its expiry.
  cancelled_at        timestamptz,
  -- Grows with every change, so that open pages can follow.
  version             integer not null default 1,
  created_at          timestamptz not null default service_now(),
  constraint bank_transfer_requests_cancelled_at
    check (state <> 'CANCELLED' or cancelled_at is not null)
);
-- Whether a former version of an account still counts: the end of the last request that showed it.
create index bank_transfer_requests_of_account on bank_transfer_requests (account_id, expires_at);
-- Whether a former version of an account still waits for money.
create index bank_transfer_requests_unpaid on bank_transfer_requests (account_id, expires_at)
  where state <> 'PAID';
-- Hints for money with an unknown reference: open payment requests of the account and the amount.
create index bank_transfer_requests_open_amounts on bank_transfer_requests
  (account_id, amount_cents) where state = 'OPEN';

-- The page shows the money that is there. A trigger, so that it commits with the money, whoever moves
-- it: a report, a refund or an operator.
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

-- A payment request that is PAID asks for no more money, also when an operator made it PAID. The
-- page shows no account from then on.
create function tell_bank_transfer_of_payment() returns trigger language plpgsql as $$
declare changed text;
begin
  update bank_transfer_requests
  set state = 'PAID', version = version + 1,
    received_cents = greatest(0, new.received_cents - new.returned_cents)
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
  -- archive: zip or gzip; each file of the archive has a row of its own.
  kind         text check (kind in ('camt.052', 'camt.053', 'camt.054', 'pain.002', 'archive')),
  -- The sentence that says why the file is refused; it quotes nothing of the file.
  reason       text,
  -- The accounts of ours whose entries are to be read; null: of all. Empty once the file is staged.
  accounts     text[],
  -- Accounts of ours in a staged file whose entries do not count: the connection or the token that
  -- brought the file does not list them. A sender that may bring them has them read. null: none.
  withheld     text[],
  -- The accounts of a file that is refused, as none is ours; null: another fault, or after 30 days.
  seen_accounts text[],
  received_at  timestamptz not null default service_now(),
  completed_at timestamptz,
  constraint bank_files_reason check ((state = 'REFUSED') = (reason is not null))
);
-- Few files are unfinished at any moment.
create index bank_files_open on bank_files (received_at) where state in ('RECEIVED', 'STAGED');
create index bank_files_by_time on bank_files (received_at, id);
-- Files that wait for a person; few do, and every page of the console counts them.
create index bank_files_withheld on bank_files (received_at) where withheld is not null;
-- Each look of the folder's loop, every second, ends the lists of accounts that are too old.
create index bank_files_with_seen_accounts on bank_files (received_at)
  where seen_accounts is not null;

-- The SFTP connections to banks: who looks at the server now, and what came of the last round.
create table bank_connections (
  -- 1 for BANK_SFTP_URL, 2 for BANK_SFTP_2_URL.
  number       integer primary key check (number between 1 and 9),
  -- The lease of a round that runs; one process renews it, and another takes over when it has passed.
  leased_by    uuid,
  leased_until timestamptz,
  due_at       timestamptz not null default service_now(),
  -- The end of the last round, and of the last one without a fault.
  round_at     timestamptz,
  good_at      timestamptz,
  -- Why the last round failed: the kind, and the sentence. null: it was good, or none has ended.
  fault        text,
  reason       text,
  -- Files on the server that count, at the end of the last round.
  files_there  integer not null default 0,
  created_at   timestamptz not null default service_now(),
  constraint bank_connections_lease check ((leased_by is null) = (leased_until is null)),
  constraint bank_connections_reason check ((fault is null) = (reason is null))
);

-- The names that were seen on a bank's server and tried. A row ends 30 days after the server lists the
-- name no more: until then the name costs no second fetch.
create table bank_connection_files (
  id          uuid primary key,
  connection  integer not null references bank_connections,
  -- SHA-256 of the path: names are chosen by others.
  path_hash   bytea not null check (octet_length(path_hash) = 32),
  -- For people: without control characters, and cut.
  name        text not null check (length(name) <= 200),
  size_bytes  bigint not null,
  -- By the server's clock, in seconds since 1970: with the size, what makes the name another file.
  modified_at bigint not null,
  -- PART: entries of some of its accounts do not count. FAILED: it could not be read. All but TAKEN
  -- are tried again when the file changes, or the next day.
  verdict     text not null check (verdict in ('TAKEN', 'PART', 'REFUSED', 'FAILED')),
  reason      text,
  file_id     uuid references bank_files,
  tried_at    timestamptz not null default service_now(),
  seen_at     timestamptz not null default service_now(),
  constraint bank_connection_files_name unique (connection, path_hash),
  constraint bank_connection_files_reason check ((verdict = 'TAKEN') = (reason is null))
);
create index bank_connection_files_by_time on bank_connection_files (tried_at, id);
create index bank_connection_files_unseen on bank_connection_files (seen_at);

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
-- The money of a day, and the statements with which it is compared.
create index bank_statements_by_day on bank_statements (day);

-- Money that moved once, however many files and messages carry it (bank-transfer §3).
create table bank_movements (
  id                  uuid primary key,
  -- The order in which movements are decided and reported.
  position            bigint generated always as identity,
  account             text collate "C" not null references creditor_account_keys,
  direction           text not null check (direction in ('CREDIT', 'DEBIT')),
  amount_cents        bigint not null check (amount_cents > 0),
  -- The values are those of bank_entries.
  fee_cents           bigint not null default 0,
  currency            text not null,
  booking_date        date,
  booked_at           timestamptz not null,
  -- The day on which a camt.053 lists the money; booking_date stays that of the ledger.
  statement_day       date,
  -- References of ours in the entry: structured, in the text, or as EndToEndId.
  creditor_references text[] not null default '{}',
  -- The values are those of bank_entries.
  details             jsonb not null default '[]',
  -- SHA-256 of the EndToEndId: payers may write into it.
  end_to_end_hash     bytea,
  -- The bank's reference of this payment alone.
  bank_reference      text,
  -- The bank's reference of the entry that holds several payments.
  entry_reference     text,
  batch_reference     text,
  -- Unique for ever: the bank's reference where no other movement has it, else the row's id.
  network_reference   text not null unique,
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
  -- The movements that the bank has booked before under the same reference with another amount. No
  -- foreign keys, since rows end by their own age.
  corrected_ids       uuid[] not null default '{}',
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
-- The money of a day, for its reconciliation.
create index bank_movements_by_day on bank_movements (booking_date);
-- Money that waits for the statement of its day: few rows.
create index bank_movements_waiting on bank_movements (account, created_at)
  where outcome = 'WAITING';

-- Each payment that an entry of a statement holds, with what the bank states of it beside its amount.
create table bank_entries (
  id                  uuid primary key,
  file_id             uuid not null references bank_files,
  statement_id        uuid not null references bank_statements,
  account             text collate "C" not null references creditor_account_keys,
  -- The entry's place in the statement, and the payment's place in the entry.
  entry_number        integer not null,
  payment_number      integer not null,
  -- Payments with a bank's reference find their money first: the others take what is left.
  rank                smallint not null,
  direction           text not null,
  amount_cents        bigint not null,
  -- Charges: money that came in is less by them, money that left is more.
  fee_cents           bigint not null default 0,
  -- TxAmt, InstdAmt and the amount before stated charges, of a payment alone in its entry.
  stated_cents        bigint[] not null default '{}',
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
  -- The details of an entry that do not add up: amounts, currencies and references of ours.
  details             jsonb not null default '[]',
  end_to_end_hash     bytea,
  -- Identifiers of refunds of ours, as EndToEndId.
  refund_ids          uuid[] not null default '{}',
  -- MsgIds of payment files of ours that the whole entry executes.
  message_ids         text[] not null default '{}',
  bank_reference      text,
  entry_reference     text,
  batch_reference     text,
  institution         text,
  -- Name and account of the other side, encrypted; null once the entry is matched.
  party_box           bytea,
  -- The payer's text, encrypted: only of an entry that matched nothing, which is kept for 30 days.
  text_box            bytea,
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
-- The rows whose boxes get a new key.
create index bank_entries_with_boxes on bank_entries (id)
  where matched_at is null or text_box is not null;
-- The statements that list refunds and batches of a day; movements have an index of their own.
create index bank_entries_by_day on bank_entries (booking_date) where outcome <> 'MOVEMENT';

-- Tokens of the programs that bring statements or take payment files to a bank, at the operators'
-- listener. Only the hash of a token is stored.
create table bank_tokens (
  id          uuid primary key,
  scope       text not null check (scope in ('bank-files/write', 'payment-files/send')),
  -- SHA-256: a token has 256 random bits.
  secret_hash bytea not null unique check (octet_length(secret_hash) = 32),
  -- The keys of the accounts: statements of others are refused, payment files of others are not shown.
  accounts    text[] not null check (cardinality(accounts) > 0),
  -- CIDRs from which alone the token is taken; empty: from everywhere.
  sources     text[] not null default '{}',
  created_by  text not null,
  created_at  timestamptz not null default service_now(),
  expires_at  timestamptz not null,
  -- null: two people must stand behind it, and the second one has not approved it.
  approved_by text,
  revoked_at  timestamptz,
  used_at     timestamptz,
  -- The calls of the last hour, 60 at most, oldest first.
  calls       timestamptz[] not null default '{}'
);

-- Payment files (pain.001, or a list), written in the transaction that makes their refunds PROCESSING. The bytes
-- are encrypted: they hold names and accounts of payers.
create table bank_payment_files (
  -- The MsgId, by which the bank refuses the same file a second time.
  message_id      text collate "C" primary key check (message_id ~ '^[0-9A-Z-]{1,35}$'),
  -- The account that pays.
  account_id      uuid not null references creditor_accounts,
  refunds         integer not null check (refunds > 0),
  total_cents     bigint not null check (total_cents > 0),
  -- LIST: a person makes the transfers one by one, as no payment file can name the banks.
  format          text not null default 'PAIN_001' check (format in ('PAIN_001', 'LIST')),
  -- null: older than BANK_FILES_KEEP, and every refund in it is over.
  bytes_encrypted bytea,
  created_at      timestamptz not null default service_now(),
  -- When the file stood complete in its folder under its temporary name. null: it has to be written.
  written_at      timestamptz,
  -- The temporary name of the writer that may give the file its final name; sftp: by a connection;
  -- program: a program has taken it to the bank.
  written_as      text,
  -- The connection by which alone the file leaves. null: a folder of this machine. 0: a program
  -- with a token of the account takes it.
  connection      integer check (connection between 0 and 9),
  -- The claim of the program that has the bytes; no other one gets them.
  claim_id        uuid,
  -- The people who asked for an act on the file, as `release:ada`, each with the time: it is forgotten
  -- after 72 hours, as a proposal is.
  asked_by        jsonb not null default '{}',
  released_at     timestamptz,
  -- Before the first byte is sent, and before the file gets its final name on the bank's server.
  putting_at      timestamptz,
  renaming_at     timestamptz,
  -- The bank may have the file or not: a person looks. The reason says what was found.
  unclear_at      timestamptz,
  unclear_reason  text,
  -- A person has found that the bank does not have it: it leaves once more.
  lost_at         timestamptz,
  constraint bank_payment_files_unclear
    check ((unclear_at is null) = (unclear_reason is null)
           and (unclear_at is null or written_at is null)),
  constraint bank_payment_files_way
    check (connection is not null or (putting_at is null and released_at is null)),
  constraint bank_payment_files_written check ((written_at is null) = (written_as is null))
);
create index bank_payment_files_unwritten on bank_payment_files (created_at)
  where written_at is null;

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
  -- A person copies it into the transfer of a list: the debit is recognised by it.
  list_reference      text collate "C" not null unique check (list_reference ~ '^PRS[0-9]{9}$'),
  -- SENT: it stands in a payment file.
  state               text not null default 'QUEUED' check (state in
                        ('QUEUED', 'SENT', 'COMPLETED', 'FAILED', 'RETURNED')),
  -- The file that carries it; null: none does.
  message_id          text collate "C",
  -- How it ended, as it was reported: the network answers with it when it is asked.
  outcome             jsonb,
  created_at          timestamptz not null default service_now(),
  constraint bank_refunds_file foreign key (message_id) references bank_payment_files,
  constraint bank_refunds_message check ((state = 'QUEUED') = (message_id is null) or state = 'FAILED'),
  constraint bank_refunds_outcome check ((outcome is null) = (state in ('QUEUED', 'SENT'))),
  constraint bank_refunds_creditor check (creditor_encrypted is not null
                                          or state not in ('QUEUED', 'SENT'))
);
create index bank_refunds_queued on bank_refunds (account_id, created_at) where state = 'QUEUED';
-- Whether a former version of an account still waits for a refund's debit.
create index bank_refunds_sent on bank_refunds (account_id) where state = 'SENT';
create index bank_refunds_of_file on bank_refunds (message_id) where message_id is not null;
create index bank_refunds_of_payment_request on bank_refunds (payment_request_id);
create index bank_refunds_of_movement on bank_refunds (movement_reference)
  where movement_reference is not null;

-- Interac addresses with Autodeposit: payers see an address once a statement of the account shows the
-- reference of its proof. Some banks leave the message out, and then none ever does.
create table bank_etransfer_proofs (
  id         uuid primary key,
  account    text collate "C" not null references creditor_account_keys,
  address    text not null check (char_length(address) between 3 and 254),
  -- An operator sends it with 1.00; other money that names it is no payment either.
  reference  text collate "C" not null unique check (reference ~ '^RF[0-9]{19}$'),
  created_at timestamptz not null default service_now(),
  proven_at  timestamptz,
  constraint bank_etransfer_proofs_address unique (account, address)
);
