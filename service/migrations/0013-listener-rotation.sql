-- A merchant's default listener can change its signing secret without an outage, as an endpoint can:
-- until then the older secret signs beside the newer one.
alter table merchants
  add column previous_signing_secret_encrypted bytea,
  add column previous_signing_secret_until     timestamptz,
  add constraint merchants_previous_secret_ends
    check ((previous_signing_secret_encrypted is null) = (previous_signing_secret_until is null));
