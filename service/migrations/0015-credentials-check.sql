-- Under which pepper this deployment's passwords and API keys are hashed: the hash of a known text,
-- written with the first merchant. A wrong CREDENTIALS_PEPPER refuses everybody and says nothing, so
-- that an operator needs something to tell it by. null: the first merchant is older than this column.
alter table deployment add column credentials_check bytea;
