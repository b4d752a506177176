-- Deliveries of one transaction fall due at one instant, so that the index kept those of a
-- destination in one entry. An entry with a living row cannot be marked dead: each claim read all
-- rows of the entry again, also those that were sent. An entry for each delivery can be marked.
-- Entries that exist end with their deliveries.
alter index webhook_deliveries_due set (deduplicate_items = off);

-- Deliveries that an outage has gathered fill whole pages, and one claim leases all of a page. With
-- half of a page free, the new row versions stay in their page: a claim writes no index, and the
-- end of an attempt finds its row there. Pages that exist stay as they are.
alter table webhook_deliveries set (fillfactor = 50);

-- Code of the previous version leaves index and table as they are (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (56, 15);
