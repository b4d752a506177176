-- A first attempt that succeeded stands in its delivery's row: webhook_attempts has a row for each
-- other attempt (decision 0077). All columns are null where the first attempt has a row there, has
-- not been made, or was longer ago than attempts are kept.
alter table webhook_deliveries
  add column first_started_at    timestamptz,
  add column first_duration_ms   integer,
  add column first_http_status   integer,
  -- The answer's beginning, at most 4 KiB.
  add column first_response_body text,
  add column first_address       text,
  add column first_dns_ms        integer,
  add column first_connect_ms    integer,
  add column first_tls_ms        integer,
  add column first_byte_ms       integer;

-- A listener may have answered with the payer's data. The trigger erases that answer with the
-- event's body, also where a process of the previous version erases the payer.
create function erase_first_answers() returns trigger language plpgsql as $$
begin
  update webhook_deliveries set first_response_body = null
  where event_id = new.id and first_response_body is not null;
  return null;
end $$;
create trigger webhook_events_erase_answers after update of erased_at on webhook_events
  for each row when (new.erased_at is not null)
  execute function erase_first_answers();

-- Code of the previous version shows such a first attempt nowhere, and counts it (decision 0077).
insert into schema_compatibility (schema, works_with) values (55, 15);
