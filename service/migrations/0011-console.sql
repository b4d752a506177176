-- The sessions of people who use the console. Roles are those of the sign-in: they are read again
-- at the next one.
create table console_sessions (
  -- SHA-256 of the cookie's secret: a reader of the table cannot use a session.
  id_hash      bytea primary key check (octet_length(id_hash) = 32),
  -- Names the session in lists and in the audit log.
  id           uuid not null unique,
  kind         text not null check (kind in ('OIDC', 'LINK')),
  -- The person: issuer and subject of the identity provider; payreq for a one-time link.
  issuer       text collate "C" not null check (length(issuer) between 1 and 500),
  subject      text collate "C" not null check (length(subject) between 1 and 255),
  name         text not null check (length(name) between 1 and 200),
  -- The address that the identity provider has verified; null: it has none. Tests of e-mails go there.
  email        text check (char_length(email) between 3 and 254),
  -- An array of role, or role@merchant.
  grants       text[] not null check (cardinality(grants) between 1 and 100),
  -- The last proof of who the person is, for money and secrets.
  signed_in_at timestamptz not null,
  created_at   timestamptz not null,
  -- Written at most once a minute.
  seen_at      timestamptz not null,
  ends_at      timestamptz not null,
  ended_at     timestamptz,
  -- SHA-256 of the state of the sign-in: an answer of the provider makes a single session. Null for
  -- links.
  answer_hash  bytea unique check (octet_length(answer_hash) = 32),
  -- The person's choice, which the next session takes over. null: the zone of the merchant.
  time_zone    text check (char_length(time_zone) between 1 and 64)
);
create index console_sessions_person on console_sessions (issuer, subject);
-- The people of a merchant, by their roles there.
create index console_sessions_grants on console_sessions using gin (grants);
create index console_sessions_end on console_sessions (ends_at);

-- One-time links: each signs one person in, once, with one role.
create table console_sign_in_links (
  -- SHA-256 of the link's 256 random bits.
  token_hash  bytea primary key check (octet_length(token_hash) = 32),
  name        text not null check (length(name) between 1 and 200),
  grant_text  text not null check (length(grant_text) between 1 and 100),
  created_by  text not null,
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  used_at     timestamptz
);
create index console_sign_in_links_expiry on console_sign_in_links (expires_at);

-- A list of the console as a person wants to see it again: filters and columns under a name. A view
-- holds no e-mail address, phone number or short code, so that the erasure of a payer never touches
-- a row.
create table console_saved_views (
  id          uuid primary key,
  -- The person: issuer and subject of the identity provider; payreq for a one-time link.
  issuer      text collate "C" not null check (length(issuer) between 1 and 500),
  subject     text collate "C" not null check (length(subject) between 1 and 255),
  -- Null: a view of a list of all merchants, which operators alone read.
  merchant_id text collate "C" references merchants,
  list        text not null check (list ~ '^[a-z-]{1,30}$'),
  name        text not null check (length(name) between 1 and 60),
  -- Parameters of the list's address.
  query       text not null check (length(query) <= 1000),
  -- Everyone who may read the list sees the view; its maker alone changes it.
  is_shared   boolean not null default false,
  created_at  timestamptz not null
);
create unique index console_saved_views_name
  on console_saved_views (issuer, subject, merchant_id, list, name) nulls not distinct;
