-- When a password or an API key was last used, to the hour: a process writes a row at most once an
-- hour, in a statement beside the call. A row of its own, so that a use never waits for a rotation.
create table credential_uses (
  -- The id of a row of api_keys or api_credential_passwords.
  credential_id uuid primary key,
  used_at       timestamptz not null
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

-- The verification of the audit log that an operator runs on the console, step by step: a row holds
-- how far the last one came, so that no request has to read the whole log.
create table audit_verifications (
  only_row       boolean primary key default true check (only_row),
  actor          text not null check (length(actor) between 1 and 200),
  started_at     timestamptz not null,
  updated_at     timestamptz not null check (updated_at >= started_at),
  start_position bigint not null check (start_position >= 0),
  start_hash     bytea not null check (length(start_hash) = 32),
  head_position  bigint not null check (head_position >= start_position),
  head_hash      bytea not null check (length(head_hash) = 32),
  entries        bigint not null check (entries >= 0),
  faults         text[] not null,
  fault_count    integer not null check (fault_count >= cardinality(faults)),
  is_complete    boolean not null
);

-- Code of the previous version leaves the tables as they are (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (51, 15);
