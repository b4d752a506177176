-- Names this deployment in files that lie outside the database, also after a restore.
alter table deployment add column id uuid not null default gen_random_uuid();

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

-- Code of the previous version leaves the tables as they are (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (43, 15);
