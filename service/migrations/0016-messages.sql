-- The texts of a merchant for its e-mails to payers. A change is a new version; a message names the one
-- that it was rendered with, so that none is deleted.
create table message_templates (
  merchant_id text collate "C" not null references merchants,
  id          text collate "C" not null check (id ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'),
  version     integer not null check (version >= 1),
  -- null: the merchant's support address.
  reply_to    text check (char_length(reply_to) between 3 and 254),
  -- Language → text.
  footer      jsonb not null,
  -- Language → kind of messages/model/kinds.ts → subject, heading, introduction.
  texts       jsonb not null,
  created_at  timestamptz not null default service_now(),
  -- null: the current version.
  replaced_at timestamptz,
  -- No new payment request can name it.
  archived_at timestamptz,
  primary key (merchant_id, id, version)
);
create unique index message_templates_current on message_templates (merchant_id, id)
  where replaced_at is null;

-- Messages to payers: the link by e-mail or SMS, receipts and cancellations. A row is written in the
-- transaction of its cause and sent from here, so that a crash loses none and doubles none.
create table messages (
  id                 uuid primary key,
  payment_request_id uuid not null references payment_requests,
  merchant_id        text collate "C" not null references merchants,
  -- The names of messages/model/kinds.ts.
  kind               text not null check (kind in
                       ('REQUEST', 'REMINDER', 'RECEIPT', 'REFUND_RECEIPT', 'REFUND_RETURNED',
                        'CANCELLATION')),
  -- Tells messages of one kind apart: the sendings of the link count from 0, a reminder has its hours
  -- before the expiry.
  number             integer not null default 0 check (number >= 0),
  -- null: the message is about no refund.
  refund_id          uuid,
  channel            text not null check (channel in ('EMAIL', 'SMS')),
  status             text not null default 'SCHEDULED' check (status in
                       ('SCHEDULED', 'SENT', 'DELIVERED', 'BOUNCED', 'FAILED', 'SUPPRESSED',
                        'CANCELLED')),
  reason             text check (char_length(reason) <= 40),
  -- A POST asked for it; only so many are allowed in a day.
  is_asked           boolean not null default false,
  -- 1: a reminder, which every other message goes before.
  priority           smallint not null default 0 check (priority in (0, 1)),
  due_at             timestamptz not null,
  -- By service_now(); null: the message is over, or was sent.
  next_attempt_at    timestamptz,
  attempts           integer not null default 0 check (attempts >= 0),
  -- The latest attempts, oldest first: when the payment request was read last, the end, the outcome.
  attempt_log        jsonb not null default '[]',
  -- A sender that holds the lease may send; whoever comes back after its end records nothing.
  lease_token        uuid,
  leased_until       timestamptz,
  -- When the holder of the lease named the recipient; null: not yet, or the lease is over.
  named_at           timestamptz,
  -- HMAC-SHA-256 of the address that it went to, with the key of message_keys. An erasure keeps it.
  address_hash       bytea check (octet_length(address_hash) = 32),
  -- SHA-256 of the token in the envelope sender of the latest attempt; null: nothing can come back, or
  -- it has. Forgotten with the attempts.
  bounce_hash        bytea check (octet_length(bounce_hash) = 32),
  -- The language and the SHA-256 of what was rendered last.
  language           text check (char_length(language) = 2),
  content_hash       bytea check (octet_length(content_hash) = 32),
  -- The template that it was rendered with; null: with the texts of the deployment alone.
  template_id        text collate "C",
  template_version   integer,
  sent_at            timestamptz,
  -- When it reached a status that is neither SCHEDULED nor SENT.
  ended_at           timestamptz,
  -- When its recipient refused every further message, which an operator may permit again.
  refused_at         timestamptz,
  created_at         timestamptz not null default service_now(),
  constraint messages_number unique nulls not distinct (payment_request_id, kind, number, refund_id),
  constraint messages_due check ((status = 'SCHEDULED') = (next_attempt_at is not null)),
  constraint messages_end check ((status in ('SCHEDULED', 'SENT')) = (ended_at is null)),
  constraint messages_sent check
    (sent_at is not null or status not in ('SENT', 'DELIVERED')),
  constraint messages_lease check ((lease_token is null) = (leased_until is null)),
  constraint messages_template foreign key (merchant_id, template_id, template_version)
    references message_templates match simple,
  constraint messages_refund check
    ((kind in ('REFUND_RECEIPT', 'REFUND_RETURNED')) = (refund_id is not null))
)
-- Vacuumed as payment_requests: the loop reads the old end of its indexes.
with (autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_scale_factor = 0.002,
      vacuum_index_cleanup = on);
-- Whether anything is due, and for how long.
create index messages_due on messages (priority, channel, next_attempt_at)
  where status = 'SCHEDULED';
-- The turns of merchants: the due messages of each, its reminders behind all others.
create index messages_of_merchant_due on messages (merchant_id, channel, priority, next_attempt_at)
  where status = 'SCHEDULED';
-- The list of a merchant's messages, newest first.
create index messages_of_merchant on messages (merchant_id, id);
-- Links that did not arrive, of a merchant and of all: few, and counted on many pages.
create index messages_undelivered on messages (merchant_id, id)
  where kind = 'REQUEST' and status in ('FAILED', 'BOUNCED', 'SUPPRESSED');
create index messages_all_undelivered on messages (id)
  where kind = 'REQUEST' and status in ('FAILED', 'BOUNCED', 'SUPPRESSED');
-- The messages that a merchant has sent within the hour.
create index messages_of_merchant_sent on messages (merchant_id, channel, sent_at)
  where sent_at is not null;
-- The messages that an address has got within the day.
create index messages_of_address_sent on messages (address_hash, sent_at) where sent_at is not null;
-- The messages that are leaving now: some rows.
create index messages_leased on messages (merchant_id, channel) where lease_token is not null;
-- The message of a mail that comes back.
create unique index messages_bounce on messages (bounce_hash) where bounce_hash is not null;
-- The mails that came back within the day.
create index messages_bounced on messages (ended_at) where status = 'BOUNCED';
-- Attempt logs older than 90 days.
create index messages_logged on messages (created_at) where attempt_log <> '[]';

-- How each channel is doing, for all processes. The row's lock orders their claims, so that the rate
-- is one rate.
create table message_channels (
  channel       text primary key check (channel in ('EMAIL', 'SMS')),
  -- The breaker: since when only one message a minute is tried; null: it is closed.
  opened_at     timestamptz,
  next_probe_at timestamptz,
  -- The refusal of the server or of a setting, without any address.
  reason        text,
  -- Messages in a row that the server refused after their data.
  data_refusals integer not null default 0 check (data_refusals >= 0),
  -- The claims of the last second: when, and how many messages each.
  claimed_at    timestamptz[] not null default '{}',
  claimed       integer[] not null default '{}',
  -- The merchant up to which claims have looked for due messages; empty: they begin again.
  walked_to     text collate "C" not null default '',
  constraint message_channels_claims check (cardinality(claimed_at) = cardinality(claimed)),
  constraint message_channels_probe check ((opened_at is null) = (next_probe_at is null))
);
insert into message_channels (channel) values ('EMAIL'), ('SMS');

-- The places of merchants in the queue of a channel. A merchant without a row was never served.
create table message_turns (
  merchant_id   text collate "C" not null references merchants,
  channel       text not null check (channel in ('EMAIL', 'SMS')),
  -- By the database's own clock, which orders two claims in any case.
  served_at     timestamptz,
  -- Until then the merchant has sent as much as it may in an hour, and since when its messages wait.
  waits_until   timestamptz,
  waiting_since timestamptz,
  primary key (merchant_id, channel),
  constraint message_turns_wait check ((waits_until is null) = (waiting_since is null))
);
create index message_turns_waiting on message_turns (waits_until) where waits_until is not null;

-- The key of this deployment's hashes of addresses, under SECRETS_KEY, whose rotation changes no hash.
create table message_keys (
  id            text collate "C" primary key check (id = 'addresses'),
  key_encrypted bytea not null
);

-- The sandbox sends nothing outside: its messages are kept here for 30 days.
create table message_inbox (
  message_id uuid primary key references messages on delete cascade,
  -- null: an SMS.
  subject    text,
  text       text not null,
  html       text,
  -- Those that a mail server would get; null: an SMS.
  headers    text,
  created_at timestamptz not null default service_now()
);
create index message_inbox_old on message_inbox (created_at);

-- Addresses that a merchant's messages no longer reach, as hashes alone; an erasure keeps them, because
-- forgetting them would write to the person again.
create table message_suppressions (
  merchant_id  text collate "C" not null references merchants,
  channel      text not null check (channel in ('EMAIL', 'SMS')),
  address_hash bytea not null check (octet_length(address_hash) = 32),
  -- RECIPIENT_REFUSED: no message at all; only an operator lifts it. OPTED_OUT: no reminder. BOUNCED: no
  -- message, since the address does not exist; the merchant lifts it.
  reason       text not null check (reason in ('RECIPIENT_REFUSED', 'OPTED_OUT', 'BOUNCED')),
  -- The message whose link the recipient followed; it may be gone.
  message_id   uuid not null,
  created_at   timestamptz not null default service_now(),
  primary key (merchant_id, channel, address_hash, reason)
);
create index message_suppressions_new on message_suppressions (created_at);
create index message_suppressions_of_message on message_suppressions (message_id);
