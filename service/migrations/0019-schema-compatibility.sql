-- Which code works on which schema, told by the migrations to code that is older than they are: code
-- whose own newest migration is "works_with" or a later one. An older version refuses to start on a
-- schema that has no row here, or a row beyond it (docs/decisions/0031). Every migration inserts its
-- own row; those before this table have theirs from here. 15 is the schema of the version before.
create table schema_compatibility (
  schema     integer primary key check (schema > 0),
  works_with integer not null check (works_with between 1 and schema)
);
insert into schema_compatibility (schema, works_with)
values (16, 15), (17, 15), (18, 15), (19, 15);
