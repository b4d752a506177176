-- The CREDENTIALS_PEPPER of a hash, so that an operator can see when a replaced pepper is no longer
-- needed. A hash under another pepper is renewed when its secret is next used. null: the hash is older
-- than this column, or a process of the previous version wrote the hash.
alter table api_credential_passwords add column pepper_id bytea;
alter table api_keys add column pepper_id bytea;

-- The SECRETS_KEY under which all secrets are encrypted, as the hash of a known text. The first start
-- writes this hash, and so does a complete rotation. Without this check, a start with another key
-- would find secrets unreadable only at their use. null: the deployment is older than this column.
alter table deployment add column secrets_check bytea;

-- Code of the previous version leaves the new columns empty (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (20, 15);
