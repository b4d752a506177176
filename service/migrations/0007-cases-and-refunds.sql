-- Cases that only a person can settle, first of all money whose amount is not the amount asked for.
create table operator_cases (
  id                 uuid primary key,
  kind               text not null,
  payment_request_id uuid references payment_requests,
  -- null: money that no merchant can be named for.
  merchant_id        text collate "C" references merchants,
  details            jsonb not null,
  -- How an operator settled the case.
  settlement         text check (settlement in
                       ('ACCEPTED', 'ASSIGNED', 'REFUNDED', 'CLOSED', 'REPLACED', 'SPLIT')),
  opened_at          timestamptz not null,
  closed_at          timestamptz,
  constraint operator_cases_settlement check (settlement is null or closed_at is not null)
);
-- A fact opens only one operator's case, also when two transactions report the fact at the same
-- moment.
create unique index operator_cases_once on operator_cases
  (kind, coalesce(payment_request_id, '00000000-0000-0000-0000-000000000000'), md5(details::text));
create index operator_cases_open on operator_cases (opened_at) where closed_at is null;
-- The list of cases: newest first, of all merchants or of one.
create index operator_cases_by_time on operator_cases (opened_at desc, id desc);
create index operator_cases_of_merchant on operator_cases (merchant_id, opened_at desc, id desc)
  where merchant_id is not null;
-- The timeline, the erasure of a payer and reports of the network look for cases of one payment
-- request; the cases of years stay.
create index operator_cases_of_payment_request on operator_cases (payment_request_id)
  where payment_request_id is not null;
-- For the cases that name a movement.
create index operator_cases_by_reference on operator_cases ((details ->> 'networkReference'));
create index operator_cases_by_references on operator_cases
  using gin ((details -> 'networkReferences'));
create index operator_cases_by_returned_reference on operator_cases
  ((details ->> 'returnedReference')) where kind = 'MONEY_RETURNED';
-- A bank takes money back that a corrected booking has replaced: these cases name both bookings.
create index operator_cases_of_replaced on operator_cases
  using gin ((details -> 'correctedReferences')) where settlement = 'REPLACED';

-- Money that goes back to a payer.
create table refunds (
  id                        uuid primary key,
  payment_request_id        uuid not null references payment_requests,
  merchant_id               text collate "C" not null references merchants,
  -- The merchant's own id of the refund. null: created with an Idempotency-Key, or by an operator.
  merchant_refund_id        text collate "C"
                              check (char_length(merchant_refund_id) between 1 and 64),
  -- SHA-256 of the body as sent: a repetition with another body is refused.
  body_hash                 bytea check (octet_length(body_hash) = 32),
  amount_cents              bigint not null check (amount_cents > 0),
  status                    text not null default 'CREATED' check (status in
                              ('CREATED', 'PROCESSING', 'COMPLETED', 'FAILED')),
  status_reason_code        text,
  reason                    text not null default 'REQUESTED_BY_CUSTOMER' check (reason in
                              ('REQUESTED_BY_CUSTOMER', 'DUPLICATE', 'FRAUDULENT', 'OTHER')),
  -- Shown on the payer's bank statement where the network can.
  message                   text check (char_length(message) between 1 and 140),
  webhook_url               text,
  -- Whether the amount is taken from the amount available of the payment request. Money of an
  -- operator's case (a second payment) is no part of it.
  is_of_payment             boolean not null default true,
  -- The network reference of the one movement that the refund gives back; null: the movements of
  -- the payment.
  movement_reference        text,
  operator_case_id          uuid references operator_cases,
  -- The day of refund_days that counts the refund; null: an operator's refund, which has no limit.
  counted_on                date,
  payment_network_reference text,
  payment_completed_at      timestamptz,
  -- Grows with every change; the ETag.
  version                   integer not null default 1,
  -- The W3C trace in which the refund was created; its webhooks go on with it.
  trace_parent              text,
  created_at                timestamptz not null,
  -- When the network is next handed or asked for the refund, by service_now(); null: never again.
  next_poll_at              timestamptz,
  polls                     integer not null default 0,
  constraint refunds_merchant_refund_id unique (merchant_id, merchant_refund_id),
  constraint refunds_status_reason check ((status = 'FAILED') = (status_reason_code is not null)),
  constraint refunds_body_hash check (merchant_refund_id is null or body_hash is not null)
);
create index refunds_of_payment_request on refunds (payment_request_id, created_at);
create index refunds_of_merchant on refunds (merchant_id, created_at desc, id desc);
create index refunds_to_poll on refunds (next_poll_at) where next_poll_at is not null;
-- A refund for each operator's case: two operators may settle it at once.
create unique index refunds_of_case on refunds (operator_case_id)
  where operator_case_id is not null and status <> 'FAILED';
-- The deletion of a case looks for refunds of it, also for failed ones.
create index refunds_by_case on refunds (operator_case_id) where operator_case_id is not null;
-- A refund by the merchant's own id, and by the reference that the bank statement shows.
create index refunds_by_merchant_refund_id on refunds (merchant_refund_id)
  where merchant_refund_id is not null;
create index refunds_by_network_reference on refunds (payment_network_reference)
  where payment_network_reference is not null;
-- For the refunds of a movement.
create index refunds_of_movement on refunds (movement_reference)
  where movement_reference is not null;

-- A new refund reserves its amount in the sums of its payment request, or is refused: it never exceeds
-- the amount available. Nothing is added up, so that it costs the same behind many refunds; the row's
-- lock orders two at once. Reports of a network are not refused here: they state what has happened,
-- also where less than nothing is available afterwards. A connection keeps the plans of its first
-- refund: made for a small table, a join without index would read the whole table later.
create function reserve_new_refunds() returns trigger language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare above record;
begin
  with asked as (
    select payment_request_id as id, sum(amount_cents) as cents from added
    where is_of_payment and status in ('CREATED', 'PROCESSING') group by payment_request_id),
  reserved as (
    update payment_requests p
    set refunding_cents = p.refunding_cents + a.cents, version = p.version + 1
    from asked a
    where p.id = a.id and a.cents
      <= p.received_cents - p.returned_cents - p.refunded_cents - p.refunding_cents
    returning p.id)
  select a.cents,
         p.received_cents - p.returned_cents - p.refunded_cents - p.refunding_cents as available
    into above
    from asked a join payment_requests p using (id)
    where a.id not in (select id from reserved) limit 1;
  if found then
    raise exception 'refunds of % cents above the % cents available', above.cents, above.available
      using errcode = 'check_violation', constraint = 'refunds_within_available';
  end if;
  return null;
end $$;
create trigger refunds_within_available after insert on refunds
  referencing new table as added for each statement execute function reserve_new_refunds();

-- A row for every status that a refund has reached, in order.
create table refund_events (
  refund_id   uuid not null references refunds,
  position    smallint not null,
  status      text not null,
  cause       text not null,
  occurred_at timestamptz not null,
  request_id  text,
  primary key (refund_id, position)
);

-- The sums of merchants' refunds of a day, for their limits: reading a sum costs the same on a day
-- with many refunds. A FAILED refund no longer counts.
create table refund_days (
  merchant_id text collate "C" not null references merchants,
  -- The day in TIME_ZONE.
  day         date not null,
  cents       bigint not null check (cents >= 0),
  primary key (merchant_id, day)
);
