-- The businesses that create payment requests, with what their default listener is sent.
create table merchants (
  id                          text collate "C" primary key,
  name                        text not null check (length(name) between 1 and 100),
  status                      text not null default 'ACTIVE' check (status in ('ACTIVE', 'SUSPENDED')),
  -- The latest suspension, kept after it is lifted: tokens bought before it stay ended.
  suspended_at                timestamptz,
  unique_transaction_ids      boolean not null default false,
  -- Origins that webhook endpoints and a payment request's own webhookUrl may have in production.
  webhook_origins             text[] not null default '{}',
  -- Origins that a payment request's returnUrl may have in production.
  return_origins              text[] not null default '{}',
  -- The messages to payers where a payment request does not say them (merchants/model/message-settings.ts).
  message_settings            jsonb not null default
    '{"reminders": [], "receipt": false, "quietHours": true, "smsSender": null, "templateId": null}',
  listener_username           text not null,
  listener_password_encrypted bytea not null,
  signing_secret_encrypted    bytea not null,
  -- During a rotation both secrets sign, until the older one's end.
  previous_signing_secret_encrypted bytea,
  previous_signing_secret_until     timestamptz,
  -- The address at which a merchant learns by e-mail of what a listener of the specification is not
  -- sent.
  notice_email                text
    check (char_length(notice_email) between 3 and 254 and notice_email ~ '^[^@[:space:]]+@[^@[:space:]]+$'),
  -- The amount that a merchant may give back in a day, in cents; 0: refunds are off.
  refunds_per_day_cents       bigint not null default 0 check (refunds_per_day_cents >= 0),
  -- The messages to payers in an hour; null: MAIL_HOURLY_LIMIT and SMS_HOURLY_LIMIT.
  mails_per_hour              integer check (mails_per_hour >= 1),
  sms_per_hour                integer check (sms_per_hour >= 1),
  created_at                  timestamptz not null default now(),
  constraint merchants_previous_secret_ends
    check ((previous_signing_secret_encrypted is null) = (previous_signing_secret_until is null))
);
-- An operator's list by a part of the name, which may be rare.
create index merchants_names on merchants using gin (lower(name) gin_trgm_ops);
-- An operator's list in the order of names.
create index merchants_by_name on merchants (lower(name) collate "C", id);

-- Logos by their contents, so that an address never changes what it answers. A logo goes when no
-- profile names it.
create table merchant_logos (
  -- SHA-256 of the image.
  hash       bytea primary key check (octet_length(hash) = 32),
  -- A PNG that this service has written itself.
  png        bytea not null check (octet_length(png) <= 131072),
  created_at timestamptz not null default service_now()
);

-- The data with which a merchant shows itself to payers, beside its registered name. Only operators
-- write it (payreq merchant set-profile): payers rely on it against forged requests.
create table merchant_profiles (
  merchant_id     text collate "C" primary key references merchants,
  display_name    text check (char_length(display_name) between 1 and 100),
  support_email   text check (char_length(support_email) between 3 and 254),
  support_phone   text check (char_length(support_phone) between 7 and 30),
  website         text check (website like 'https://_%' and char_length(website) <= 2048),
  -- `#rrggbb`; beside text, never under or in it.
  accent_colour   text check (accent_colour ~ '^#[0-9a-f]{6}$'),
  logo_hash       bytea references merchant_logos,
  -- The zone of the merchant's days in the console. null: TIME_ZONE.
  time_zone       text check (char_length(time_zone) between 1 and 64),
  updated_at      timestamptz not null default service_now()
);

-- An account belongs to one merchant, also after the merchant has changed it: otherwise money for old
-- payment requests would reach the wrong merchant.
create table creditor_account_keys (
  -- An IBAN in electronic form, or SCHEME:bank:number, with the number without its leading zeros.
  key               text collate "C" primary key check (key ~ ('^([A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}'
                      || '|CA:[0-9]{8}:[1-9][0-9]{0,11}|US:[0-9]{9}:[1-9][0-9]{0,16}'
                      || '|GB:[0-9]{6}:[1-9][0-9]{0,7}|AU:[0-9]{6}:[1-9][0-9]{0,8}'
                      || '|OTHER:[0-9A-Z]{1,35}:[1-9A-Z][0-9A-Z]{0,33})$')),
  merchant_id       text collate "C" not null references merchants,
  -- The account under which the bank's statements list this one: for a Swiss QR-IBAN the ordinary
  -- IBAN, known from the first statement with an entry of the QR-IBAN. null: the statements name
  -- this one.
  statement_account text collate "C",
  -- The text by which the bank's statements name an account without an IBAN (Othr/Id), as an operator
  -- gave it. null: they name the number, beside the bank.
  statement_id      text collate "C" unique check (char_length(statement_id) between 1 and 34),
  -- The number alone, for accounts without an IBAN.
  bare_number       text generated always as (nullif(split_part(key, ':', 3), '')) stored,
  constraint creditor_account_keys_of_merchant unique (key, merchant_id)
);
create index creditor_account_keys_by_number on creditor_account_keys (bare_number)
  where bare_number is not null;
create index creditor_account_keys_by_statement_account on creditor_account_keys (statement_account)
  where statement_account is not null;

-- The accounts to which payers transfer money. A change is a new version: an open payment request
-- keeps the version that it shows.
create table creditor_accounts (
  id          uuid primary key,
  merchant_id text collate "C" not null references merchants,
  version     integer not null check (version >= 1),
  -- The account holder's name: banks compare it and warn the payer.
  holder      text not null check (char_length(holder) between 1 and 70),
  -- The holder's postal address, which the QR code of a Swiss QR-bill must name: street, postalCode,
  -- town, country. null: unknown.
  address     jsonb,
  -- An IBAN in electronic form, or SCHEME:bank:number with its leading zeros, as payers type it.
  account_number text collate "C" not null
    check (account_number !~ ':' or account_number ~ ':[^:]{4,34}$'),
  key         text collate "C" not null
    generated always as (regexp_replace(account_number, ':0*([^:]+)$', ':\1')) stored,
  bic         text check (bic ~ '^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$'),
  created_at  timestamptz not null default service_now(),
  -- null: the merchant's current account.
  replaced_at timestamptz,
  -- The bank has closed the account: refunds leave from the current one.
  closed_at   timestamptz,
  constraint creditor_accounts_version unique (merchant_id, version),
  -- An Interac address with Autodeposit; payers see it once a proof of it has arrived.
  etransfer_address text check (char_length(etransfer_address) between 3 and 254),
  constraint creditor_accounts_etransfer check (etransfer_address is null or account_number ~ '^CA:'),
  constraint creditor_accounts_key foreign key (key, merchant_id)
    references creditor_account_keys (key, merchant_id),
  constraint creditor_accounts_address check (
    address is null
    or (char_length(address->>'postalCode') between 1 and 16
        and char_length(address->>'town') between 1 and 35
        and address->>'country' ~ '^[A-Z]{2}$'
        and coalesce(char_length(address->>'street') between 1 and 70, true)) is true)
);
create unique index creditor_accounts_current on creditor_accounts (merchant_id)
  where replaced_at is null;

-- E-mails to merchants: a row is written in the transaction of its cause, and sent from here at
-- least once. Holds identifiers and sums only, so that the erasure of a payer never touches a row.
create table merchant_notices (
  id                 uuid primary key,
  merchant_id        text collate "C" not null references merchants,
  kind               text not null check (kind in
                       ('PAYMENT_RETURNED', 'REFUND_FAILED', 'ACCOUNT_CHANGED')),
  payment_request_id uuid,
  refund_id          uuid,
  amount_cents       bigint,
  currency           text check (currency ~ '^[A-Z]{3}$'),
  status_reason_code text,
  -- The last characters of account numbers; null: before, there was none.
  number_end         text check (char_length(number_end) = 4),
  previous_number_end text check (char_length(previous_number_end) = 4),
  created_at         timestamptz not null default service_now(),
  -- OPERATOR: no address or no mail server is set, or the mail server refused; an operator's alert
  -- names the merchant.
  status             text not null default 'PENDING' check (status in ('PENDING', 'SENT', 'OPERATOR')),
  attempts           smallint not null default 0 check (attempts >= 0),
  next_attempt_at    timestamptz not null default service_now(),
  lease_token        uuid,
  leased_until       timestamptz,
  completed_at       timestamptz,
  constraint merchant_notices_completion check ((status = 'PENDING') = (completed_at is null))
);
create index merchant_notices_due on merchant_notices (next_attempt_at) where status = 'PENDING';
create index merchant_notices_completed on merchant_notices (completed_at)
  where completed_at is not null;
