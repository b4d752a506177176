-- Which CREDENTIALS_PEPPER made a hash, so that an operator can see when a replaced pepper is needed
-- no longer. A hash under another pepper is made anew when its secret is next used. null: the hash is
-- older than this column, or a process of the version before wrote it.
alter table api_credential_passwords add column pepper_id bytea;
alter table api_keys add column pepper_id bytea;

-- Under which SECRETS_KEY everything is encrypted: the hash of a known text, written at the first
-- start and when a rotation is complete. A start without that key would find secrets unreadable only
-- when they are needed. null: the deployment is older than this column.
alter table deployment add column secrets_check bytea;

-- Code of the version before leaves the new columns empty (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (20, 15);
