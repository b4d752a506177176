-- How many deliveries have been written for an event, by the status change and by replays, so that a
-- lost one can be proven: endpoints and their filters change later. null: the event was written before
-- this column, or by a process of the version before.
alter table webhook_events add column owed_deliveries smallint check (owed_deliveries >= 0);

-- Code of the version before leaves the column empty (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (24, 15);
