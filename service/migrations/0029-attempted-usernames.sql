-- The username of a sign-in that failed: the page shows it again, and the payer corrects the
-- password alone. The session's end deletes it with the session.
alter table gateway_sessions add column attempted_username text
  check (char_length(attempted_username) between 1 and 64);

-- Code of the previous version leaves the column as it is (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (29, 15);
