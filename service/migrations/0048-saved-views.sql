-- A list of the console as a person wants to see it again: filters and columns under a name. A view
-- holds no e-mail address, phone number or short code, so that the erasure of a payer never touches
-- a row.
create table console_saved_views (
  id          uuid primary key,
  -- The person: issuer and subject of the identity provider; payreq for a one-time link.
  issuer      text not null check (length(issuer) between 1 and 500),
  subject     text not null check (length(subject) between 1 and 255),
  merchant_id text collate "C" not null references merchants,
  list        text not null check (list ~ '^[a-z-]{1,30}$'),
  name        text not null check (length(name) between 1 and 60),
  -- Parameters of the list's address.
  query       text not null check (length(query) <= 1000),
  created_at  timestamptz not null
);
create unique index console_saved_views_name
  on console_saved_views (issuer, subject, merchant_id, list, name);

-- Code of the previous version leaves the table as it is (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (48, 15);
