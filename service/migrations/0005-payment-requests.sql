-- Which status may follow which. Each start fills the table from the only source, the statuses of the
-- code; here so that the database refuses what the code refuses.
create table payment_request_transitions (
  from_status text not null,
  to_status   text not null,
  primary key (from_status, to_status)
);

-- Payment requests with their present states. Fields are kept as they were sent.
create table payment_requests (
  id                        uuid primary key,
  merchant_id               text collate "C" not null references merchants,
  merchant_transaction_id   text,
  -- The same value, kept here while the merchant's setting uniqueTransactionIds is on, so that an
  -- index can refuse the second of two creations at once.
  unique_transaction_id     text,
  -- Integer cents: numeric accepts NaN, which passes "> 0".
  amount_cents              bigint not null check (amount_cents > 0),
  type                      text not null check (type = 'ECOMM'),
  delivery_mode             text check (delivery_mode in ('NONE', 'EMAIL', 'SMS')),
  -- The member `delivery` as it was sent.
  delivery                  json,
  -- The messages to the payer beside the link, with the merchant's settings at the creation. null: the
  -- payer is sent nothing at all.
  message_plan              json,
  payer_name                text not null,
  payer_merchant_account_id text,
  payer_email               text,
  payer_mobile_number       text,
  payer_preferred_language  text,
  due_date                  date,
  display_message           text,
  invoice_number            text,
  business_unit             text,
  email_template_id         text,
  -- The page to which the payer's pages lead back, as it was sent.
  return_url                text,
  webhook_url               text,
  -- Whether the URL came as webhookUrl or callbackUrl: it is echoed under the name sent.
  webhook_url_field         text check (webhook_url_field in ('webhookUrl', 'callbackUrl')),
  -- json, not jsonb: echoed in the order and spelling it was sent in.
  metadata                  json,
  -- Begins with the mark of its cell.
  short_code                text not null unique
    check (short_code ~ '^(c([2-9]|[1-9][0-9]{1,2})-)?[0-9A-Za-z]{16}$'),
  status                    text not null default 'CREATED' check (status in
                              ('CREATED', 'PROCESSING', 'PAID', 'FAILED', 'EXPIRED', 'CANCELLED')),
  status_reason_code        text,
  status_reason_message     text,
  paid_late                 boolean not null default false,
  payment_institution       text,
  payment_network_reference text,
  payment_completed_at      timestamptz,
  -- Sums of money in cents, equal to the sums of the ledger entries. Incoming money that belongs to
  -- the payment request:
  received_cents            bigint not null default 0,
  -- Money that the network or a bank took back.
  returned_cents            bigint not null default 0,
  -- Refunds that are COMPLETED.
  refunded_cents            bigint not null default 0,
  -- Refunds that are CREATED or PROCESSING.
  refunding_cents           bigint not null default 0,
  -- Grows with every change; the ETag.
  version                   integer not null default 1,
  -- How many webhook events this payment request has had; the next one's sequence.
  webhook_sequence          integer not null default 0,
  -- By how much calls have brought its due instants forward, in the sandbox; null: no call has.
  sandbox_advanced_us       bigint check (sandbox_advanced_us > 0),
  -- The X-Request-Id of the creating call, for the timeline, and the W3C trace of the creation, which
  -- the webhooks of the payment request continue.
  request_id                text,
  trace_parent              text,
  -- The row is its own CREATED event (decision 0079): the number of the creating transaction places
  -- the event in the order of commits. 0: a restored dump.
  creation_transaction      xid8 not null default pg_current_xact_id(),
  created_at                timestamptz not null,
  expires_at                timestamptz not null,
  check (payer_email is not null or payer_mobile_number is not null),
  check ((webhook_url is null) = (webhook_url_field is null)),
  check ((status in ('FAILED', 'EXPIRED', 'CANCELLED')) = (status_reason_code is not null)),
  check ((status = 'PAID') = (payment_completed_at is not null)),
  check (status = 'PAID' or not paid_late),
  constraint payment_requests_sums check
    (received_cents >= 0 and returned_cents >= 0 and refunded_cents >= 0 and refunding_cents >= 0)
)
-- Loops read what falls due off the old end of an index, and walk over the entries of rows that have
-- moved on until a vacuum takes them: 8 µs for a thousand. The default comes after a fifth of the
-- table: at ten million rows 16 ms in each run of each loop. After 20,000 and 0.2 % it is 40,000 rows
-- there. A vacuum reads all indexes of the table; without vacuum_index_cleanup it would leave their
-- entries alone, because so few pages are concerned (decision 0022). No fillfactor: the status is
-- indexed, so that no move could stay out of the indexes however much room its page had.
with (autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_scale_factor = 0.002,
      vacuum_index_cleanup = on,
      -- Once a fiftieth is new: plans know of the last weeks, and 30,000 sampled rows are cheap.
      autovacuum_analyze_scale_factor = 0.02);

-- The indexes of lists and of searches, chosen with EXPLAIN at ten million rows (decisions 0010,
-- 0070). Each list's index begins with the merchant and the filter, and ends with the order of the
-- list, so that a page is read off it however many rows match.
create index payment_requests_of_merchant on payment_requests (merchant_id, created_at desc, id desc);
create index payment_requests_by_business_unit
  on payment_requests (merchant_id, business_unit, created_at desc, id desc)
  where business_unit is not null;
create index payment_requests_by_status
  on payment_requests (merchant_id, status, created_at desc, id desc);
create index payment_requests_by_amount
  on payment_requests (merchant_id, amount_cents, created_at desc, id desc);
-- These begin with the value: a search in all merchants reads the same index as a merchant's list,
-- which names both. An e-mail address is the same in upper and lower case, a number however it is
-- punctuated. The first also finds a creation's duplicate.
create index payment_requests_transactions on payment_requests
  (merchant_transaction_id, merchant_id, created_at desc, id desc)
  where merchant_transaction_id is not null;
create index payment_requests_invoices on payment_requests
  (invoice_number, merchant_id, created_at desc, id desc)
  where invoice_number is not null;
create index payment_requests_payer_emails on payment_requests
  (lower(payer_email), merchant_id, created_at desc, id desc)
  where payer_email is not null;
create index payment_requests_payer_mobiles on payment_requests
  (translate(payer_mobile_number, '+-() ', ''), merchant_id, created_at desc, id desc)
  where payer_mobile_number is not null;
create index payment_requests_customers on payment_requests
  (payer_merchant_account_id, merchant_id, created_at desc, id desc)
  where payer_merchant_account_id is not null;
-- Only requests of merchants whose transaction ids are unique are in it.
create unique index payment_requests_unique_transaction
  on payment_requests (merchant_id, unique_transaction_id)
  where unique_transaction_id is not null;
-- A network reference pays one payment request: a report searches here for another payment request
-- with its reference.
create index payment_requests_by_network_reference on payment_requests (payment_network_reference)
  where payment_network_reference is not null;
-- Requests that may still expire: small, however many requests there are.
create index payment_requests_to_expire on payment_requests (expires_at) where status = 'CREATED';
-- The gauges of every process count payments in progress every few seconds (decision 0033).
create index payment_requests_processing on payment_requests (id) where status = 'PROCESSING';
-- The payment requests that became PAID on a day: each should have money in the ledger.
create index payment_requests_by_completion on payment_requests (merchant_id, payment_completed_at)
  where payment_completed_at is not null;
create index payment_requests_in_order on payment_requests (creation_transaction);

create function refuse_unknown_transition() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.status <> 'CREATED' then
      raise exception 'a payment request starts as CREATED, not %', new.status
        using errcode = 'check_violation', constraint = 'payment_request_transition';
    end if;
  elsif not exists (select from payment_request_transitions
                    where from_status = old.status and to_status = new.status) then
    raise exception 'a payment request does not move from % to %', old.status, new.status
      using errcode = 'check_violation', constraint = 'payment_request_transition';
  end if;
  return new;
end $$;
create trigger payment_requests_start before insert on payment_requests
  for each row when (new.status <> 'CREATED') execute function refuse_unknown_transition();
create trigger payment_requests_move before update of status on payment_requests
  for each row when (old.status is distinct from new.status)
  execute function refuse_unknown_transition();

-- Every status that a payment request has reached after CREATED, in order.
create table payment_request_moves (
  payment_request_id uuid not null references payment_requests,
  position           smallint not null,
  status             text not null,
  -- The cause's name in model/statuses.ts, for the timeline.
  cause              text not null,
  -- Why: the payment request itself only knows its last reason, which money that arrives late takes
  -- away.
  reason_code        text,
  request_id         text,
  -- Places the row in the order of commits. 0: a restored dump.
  transaction_id     xid8 not null default pg_current_xact_id(),
  occurred_at        timestamptz not null,
  primary key (payment_request_id, position)
)
-- A table that only grows is vacuumed for its inserts: old pages are frozen in parts of a fiftieth.
with (autovacuum_vacuum_insert_scale_factor = 0.02);
create index payment_request_moves_in_order on payment_request_moves (transaction_id);

-- The members of "events". The planner looks through the view only while no part of the union has a
-- condition of its own: a page in the order of commits, or the events of many rows, are then read
-- from indexes.
create view payment_request_events as
  select payment_request_id, position, status, cause, occurred_at, reason_code, request_id,
         transaction_id
  from payment_request_moves
  union all
  select id, 1::smallint, 'CREATED', 'CREATED', created_at, null, null, creation_transaction
  from payment_requests;

-- Entries of the timeline beside status changes and webhook attempts, which have tables of their
-- own. No payer data but a cancellation's comment; of an update only the names
-- of what changed.
create table payment_request_timeline (
  -- Also the order of entries of one instant.
  id                 bigint generated always as identity primary key,
  payment_request_id uuid not null references payment_requests,
  type               text not null check (type in
                       ('LINK_OPENED', 'PAYER_STEP', 'CANCELLATION_REQUESTED', 'UPDATED',
                        'PART_RECEIVED', 'MONEY_RETURNED')),
  details            jsonb not null default '{}',
  request_id         text,
  -- The values are those of payment_request_moves.
  transaction_id     xid8 not null default pg_current_xact_id(),
  occurred_at        timestamptz not null
)
with (autovacuum_vacuum_insert_scale_factor = 0.02);
create index payment_request_timeline_of_request
  on payment_request_timeline (payment_request_id, type, id);
create index payment_request_timeline_in_order on payment_request_timeline (transaction_id);
-- The loop of search texts reads updates alone (0015-search.sql).
create index payment_request_timeline_updates on payment_request_timeline (transaction_id)
  where type = 'UPDATED';

-- Which merchant's list is being streamed as CSV, so that there is one stream a merchant whatever
-- the number of processes (contract §4, List). A row that outlives its process ends with its lease.
create table payment_request_streams (
  merchant_id  text collate "C" primary key references merchants,
  lease_token  uuid not null,
  leased_until timestamptz not null
);

-- Requests to the e-transfer network: a row for each payment request whose link a
-- payer has opened, written before the network is asked, so that an answer that never came is not
-- forgotten. The loop that reconciles lost reports works through it.
create table network_requests (
  payment_request_id uuid primary key references payment_requests,
  -- Where the payer goes; null until the network has answered once.
  payer_url          text,
  -- The version of the payment request that the network knows.
  known_version      integer,
  -- The money that is there for a payment request: what counts and what waits for an operator, in
  -- cents. The network's page shows it. What was given back or taken back is no part of it.
  there_cents        bigint not null default 0 check (there_cents >= 0),
  -- How often the network was asked since the payment request last changed.
  looks              integer not null default 0,
  -- Grows with every change of the payment request: who looked meanwhile must not put off the look
  -- that the change asks for.
  changes            integer not null default 0,
  -- When to look next, by service_now(); null: nothing can come any more.
  next_look_at       timestamptz,
  -- When operators learned that it takes too long.
  alerted_at         timestamptz,
  -- The instant at which the network reported the end of its payment while the payment request was
  -- still open: revoked (the merchant was suspended), or ended by the network itself. Opening the link
  -- then creates a new payment at the network. null: the payer can pay at payer_url.
  payment_over_at    timestamptz,
  created_at         timestamptz not null default service_now()
)
-- The figures have the reasons that stand at payment_requests.
with (autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_scale_factor = 0.002,
      vacuum_index_cleanup = on);
create index network_requests_to_look_at on network_requests (next_look_at)
  where next_look_at is not null;
create index network_requests_payment_over on network_requests (payment_request_id)
  where payment_over_at is not null;

-- The network learns of a change or an end at once, and asked about a payment in progress soon. A
-- trigger, so that it commits with the change, whoever makes it.
create function look_at_network_request() returns trigger language plpgsql as $$
begin
  update network_requests
  set looks = 0, changes = changes + 1,
      next_look_at = case new.status
        when 'PAID' then null
        when 'PROCESSING' then service_now() + interval '30 seconds'
        else service_now() end
  where payment_request_id = new.id;
  return null;
end $$;
create trigger payment_requests_tell_network after update on payment_requests
  for each row when (old.version is distinct from new.version)
  execute function look_at_network_request();
