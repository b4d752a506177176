-- The number of deliveries that the status change and replays have written for an event. It proves a
-- lost delivery, although endpoints and their filters change later. null: the event was written before
-- this column, or by a process of the previous version.
alter table webhook_events add column owed_deliveries smallint check (owed_deliveries >= 0);

-- Code of the previous version leaves the column empty (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (24, 15);
