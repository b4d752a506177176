-- The oldest code that works on each schema. Migrations record this for older code: code works on a
-- schema if the code's newest migration is "works_with" or a later one. An older version refuses to
-- start on a schema without a row here, or with a row beyond that version (docs/decisions/0031). Every
-- migration inserts its own row; this migration inserts the rows of the migrations before it. 15 is the
-- schema of the previous version.
create table schema_compatibility (
  schema     integer primary key check (schema > 0),
  works_with integer not null check (works_with between 1 and schema)
);
insert into schema_compatibility (schema, works_with)
values (16, 15), (17, 15), (18, 15), (19, 15);
