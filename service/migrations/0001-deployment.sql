-- The indexes of parts of texts. PostgreSQL brings the extension, and trusts it: the owner of the
-- database may create it.
create extension if not exists pg_trgm;

-- The clock of everything that falls due: leases, attempts, simulated outcomes. Every process asks the
-- same clock, and a test can move it.
create function service_now() returns timestamptz language sql stable as 'select now()';

-- A UUID of version 7 made by the database: rows that a statement multiplies get their identifiers
-- here, and PostgreSQL has uuidv7() only from version 18 on.
create function time_ordered_uuid() returns uuid language sql volatile as $$
  select (lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0')
          || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid
$$;

-- A database that was restored to an earlier moment gives the numbers of its transactions, and the
-- positions in them, out again. A cursor from after that moment would then name a place that other
-- rows have meanwhile, and would skip them without a word. So every position has random bits: a
-- place exists in one history only, and a cursor without its place is refused (decision 0063).
--
-- 43 bits count, 20 bits are random. Positions order the rows of one transaction.
create sequence commit_positions;
create function commit_position() returns bigint language sql volatile as $$
  select (nextval('commit_positions') << 20) + floor(random() * 1048576)::bigint
$$;

-- The deployment of this database, a single row. A service with other settings refuses to start, so
-- that a copied setting mixes neither environments nor currencies (contract §2).
create table deployment (
  only_row          boolean primary key default true check (only_row),
  -- Names this deployment in files that lie outside the database, also after a restore.
  id                uuid not null default gen_random_uuid(),
  environment       text not null check (environment in ('sandbox', 'production')),
  -- The number of the cell (decision 0062): user names, API keys, short codes and page ids of every
  -- cell but the first begin with its mark. null: not recorded yet.
  cell              smallint check (cell between 1 and 999),
  -- Recorded by the first start: amounts carry no currency of their own, so that a start with another
  -- currency or network is refused while payment requests are open.
  currency          text check (currency ~ '^[A-Z]{3}$'),
  network           text check (char_length(network) between 1 and 40),
  -- The database holds made accounts and made money. The mark is for ever: a start as anything else
  -- than a demo is refused, and commands that make money refuse other databases.
  is_bank_demo      boolean not null default false,
  -- The CREDENTIALS_PEPPER under which passwords and API keys are hashed, as the hash of a known text.
  -- A wrong pepper would refuse everybody without a word. null: there is no merchant yet.
  credentials_check bytea,
  -- The SECRETS_KEY under which all secrets are encrypted, as the hash of a known text. The first start
  -- writes this hash, and so does a complete rotation. Without this check, a start with another key
  -- would find secrets unreadable only at their use.
  secrets_check     bytea,
  -- The policy of the running service, which commands follow (decision 0068).
  approvals_on                 boolean not null default false,
  approval_refunds_above_cents bigint not null default 0
                                 check (approval_refunds_above_cents >= 0),
  created_at        timestamptz not null default now()
);

-- The oldest code that works on each later migration: code works on a migration if the code's newest
-- migration is "works_with" or a later one. Each migration after 1.0.0 inserts its own row; an older
-- version refuses to start on a migration without a row, or beyond that version (decisions 0031, 0118).
create table schema_compatibility (
  schema     integer primary key check (schema > 0),
  works_with integer not null check (works_with between 1 and schema)
);

-- The database was restored to an earlier moment. While a restore is not released, no refund
-- leaves: refunds that left after that moment may be unknown here (decision 0063).
create table database_restores (
  id           uuid primary key default gen_random_uuid(),
  -- The latest instant that the database knew when the restore was noticed.
  ends_at      timestamptz not null,
  noticed_at   timestamptz not null default service_now(),
  -- OPERATOR: payreq restore-check. REFUND_FOLDER: the journal of the refund files names a file
  -- that is unknown here.
  noticed_by   text not null check (noticed_by in ('OPERATOR', 'REFUND_FOLDER')),
  -- null: refunds are held.
  released_at  timestamptz,
  -- Message ids of payment files of the folder's journal, which an operator has settled.
  known_files  text[] not null default '{}'
);
create unique index database_restores_one_open on database_restores ((true))
  where released_at is null;

-- Peers that sent X-Forwarded-For and are not in TRUSTED_PROXIES. payreq doctor, another process,
-- reports them. The table has a few rows: a new row replaces the oldest, and a row lasts a week.
create table untrusted_forwarders (
  -- An IP address.
  peer         text collate "C" primary key,
  last_seen_at timestamptz not null default service_now()
);

-- The last run of payreq doctor, which the console shows with its age. A run replaces the last.
create table doctor_runs (
  only_row boolean primary key default true check (only_row),
  ran_at   timestamptz not null,
  -- The account or name that the audit log would show.
  actor    text not null check (length(actor) between 1 and 200),
  version  text not null,
  took_ms  integer not null check (took_ms >= 0),
  -- An array of {name, ok, warning, message} in the order of the checks.
  checks   jsonb not null check (jsonb_typeof(checks) = 'array')
);
