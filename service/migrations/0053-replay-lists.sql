-- A merchant's replays for people, newest first: identifiers are in the order of time. There are
-- few of them: one at a time for an endpoint, each started by a call.
create index webhook_replays_of_merchant on webhook_replays (merchant_id, id);

-- Code of the previous version leaves the table as it is (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (53, 15);
