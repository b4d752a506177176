-- Usernames for the token call. Passwords stand apart, because two may be live during a rotation.
create table api_credentials (
  username    text primary key,
  merchant_id text collate "C" not null references merchants,
  scopes      text[] not null default '{payment_request/all}',
  created_at  timestamptz not null default now(),
  -- Set by "credentials revoke": ends the credential and every token it bought.
  revoked_at  timestamptz
);
create index api_credentials_of_merchant on api_credentials (merchant_id);

-- The passwords of those usernames, as hashes.
create table api_credential_passwords (
  id          uuid primary key,
  username    text not null references api_credentials,
  -- HMAC-SHA-256 under the server's pepper; the password itself is never stored.
  secret_hash bytea not null,
  -- The CREDENTIALS_PEPPER of the hash: an operator sees when a replaced pepper is no longer needed.
  -- A hash under another pepper is renewed when its secret is next used.
  pepper_id   bytea not null,
  created_at  timestamptz not null default now(),
  expires_at  timestamptz
);
create index api_credential_passwords_of_username on api_credential_passwords (username);

-- API keys, as hashes.
create table api_keys (
  id          uuid primary key,
  merchant_id text collate "C" not null references merchants,
  secret_hash bytea not null unique,
  -- The values are those of api_credential_passwords.
  pepper_id   bytea not null,
  -- The first characters, so that a person can tell two keys apart in a list.
  hint        text not null,
  created_at  timestamptz not null default now(),
  expires_at  timestamptz,
  revoked_at  timestamptz
);
create index api_keys_of_merchant on api_keys (merchant_id);

-- When a password or an API key was last used, to the hour: a process writes a row at most once an
-- hour, in a statement beside the call. A row of its own, so that a use never waits for a rotation.
create table credential_uses (
  -- The id of a row of api_keys or api_credential_passwords.
  credential_id uuid primary key,
  used_at       timestamptz not null
);

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

-- The part of the current second's budget that a merchant's calls have taken, over all processes
-- (contract §7). Unlogged: a count that a crash empties was a second old, and counting must not cost
-- the disk.
create unlogged table rate_limit_windows (
  merchant_id text collate "C" not null,
  kind        text not null check (kind in ('reads', 'writes', 'tokens')),
  -- The second that is counted, by service_now().
  second      timestamptz not null,
  -- Taken by the processes to give to calls. A part beyond the budget is given to no call.
  taken       integer not null,
  primary key (merchant_id, kind)
)
-- A row changes often; room in the page keeps the index out of each change.
with (fillfactor = 50);

-- The answers of calls that came with an Idempotency-Key, so that the same call sent again is
-- answered again and done once (contract §4). Written in the transaction that did the call: either
-- both are there or neither. Nothing is written before the work is done; while it runs an advisory
-- lock says so, and dies with its transaction.
--
-- The bodies hold payer data (name, e-mail, mobile number). They go after 72 hours by themselves;
-- erasing a payer must redact those that are left, found by the "id" in the body.
create table idempotency_answers (
  merchant_id text collate "C" not null references merchants,
  -- Kept as it was sent: 1 to 255 visible ASCII characters.
  key         text collate "C" not null check (length(key) between 1 and 255),
  -- SHA-256 of method, path and the body's bytes: what "the same call" means.
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  -- A refusal is not kept: the caller may put it right under the same key.
  status      smallint not null check (status between 200 and 399),
  -- json, not jsonb: given back in the order they were sent in.
  headers     json not null,
  body        text not null,
  created_at  timestamptz not null default service_now(),
  primary key (merchant_id, key)
)
-- Insert-mostly, and pruned at the old end (decision 0022).
with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.01);
-- Oldest first: what may be pruned.
create index idempotency_answers_by_age on idempotency_answers (created_at);
