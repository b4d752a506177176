-- The service's own idea of "now" for everything that falls due: leases, attempts, simulated outcomes.
-- One function, so that every process asks the same clock, and so that a test can move it.
create function service_now() returns timestamptz language sql stable as 'select now()';

-- One row: which environment this database belongs to. A service of the other one refuses to start
-- on it, so that a copied setting cannot mix sandbox and production (contract, section 2).
create table deployment (
  only_row    boolean primary key default true check (only_row),
  environment text not null check (environment in ('sandbox', 'production')),
  created_at  timestamptz not null default now()
);

-- The businesses that create payment requests, with what their default listener is sent.
create table merchants (
  id                          text primary key,
  name                        text not null check (length(name) between 1 and 100),
  status                      text not null default 'ACTIVE' check (status in ('ACTIVE', 'SUSPENDED')),
  -- The latest suspension, kept after it is lifted: tokens bought before it stay ended.
  suspended_at                timestamptz,
  unique_transaction_ids      boolean not null default false,
  -- Origins that a payment request's own webhookUrl may have in production.
  webhook_origins             text[] not null default '{}',
  listener_username           text not null,
  listener_password_encrypted bytea not null,
  signing_secret_encrypted    bytea not null,
  created_at                  timestamptz not null default now()
);

-- Usernames for the token call. Passwords stand apart, because two may be live during a rotation.
create table api_credentials (
  username    text primary key,
  merchant_id text not null references merchants,
  scopes      text[] not null default '{payment_request/all}',
  created_at  timestamptz not null default now(),
  -- Set by "credentials revoke": ends the credential and every token it bought.
  revoked_at  timestamptz
);
create index api_credentials_of_merchant on api_credentials (merchant_id);

create table api_credential_passwords (
  id          uuid primary key,
  username    text not null references api_credentials,
  -- HMAC-SHA-256 under the server's pepper; the password itself is never stored.
  secret_hash bytea not null,
  created_at  timestamptz not null default now(),
  expires_at  timestamptz
);
create index api_credential_passwords_of_username on api_credential_passwords (username);

create table api_keys (
  id          uuid primary key,
  merchant_id text not null references merchants,
  secret_hash bytea not null unique,
  -- The first characters, so that a person can tell two keys apart in a list.
  hint        text not null,
  created_at  timestamptz not null default now(),
  expires_at  timestamptz,
  revoked_at  timestamptz
);
create index api_keys_of_merchant on api_keys (merchant_id);

-- Keys that sign access tokens. The newest whose signs_from has come signs; a new one is published
-- a little before, so that every process knows it by then. The ones before it go on verifying until
-- the tokens they signed have expired; a removed one verifies nothing.
create table signing_keys (
  -- The RFC 7638 thumbprint of the public key.
  key_id                text primary key,
  public_jwk            jsonb not null,
  private_key_encrypted bytea not null,
  signs_from            timestamptz not null,
  created_at            timestamptz not null default now(),
  removed_at            timestamptz
);

-- Who changed what about access and destinations: kept 7 years, read by people.
create table audit_log (
  id          bigint generated always as identity primary key,
  occurred_at timestamptz not null default now(),
  actor       text not null,
  action      text not null,
  merchant_id text,
  details     jsonb not null default '{}'
);
