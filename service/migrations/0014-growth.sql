-- For ten million payment requests: see docs/decisions/0022-growth.md, with what was measured.

-- Where nothing is owed when statistics are taken, the planner believes that no row is PENDING and
-- that every index which holds only such rows is equally good. It then walks a backlog by payment
-- request to find what is due for a destination. Each kind of question therefore finds one index
-- whose condition it states: what is due by the status, the order of a payment request's events by
-- the time of the next attempt (which is there exactly while a delivery is PENDING), a merchant's
-- list by a condition that is always true. So is "sequence > 0": it keeps the second one from being
-- taken for the first, which asks for the time of the next attempt, too.
drop index webhook_deliveries_in_order;
create index webhook_deliveries_in_order on webhook_deliveries (payment_request_id, sequence)
  where next_attempt_at is not null and sequence > 0;
drop index webhook_deliveries_not_succeeded;
create index webhook_deliveries_not_succeeded on webhook_deliveries (merchant_id, status, id)
  where status <> 'SUCCEEDED' and merchant_id <> '';

-- Dead rows. The loops read what falls due off the old end of an index (expiries, looks at the
-- network, simulated outcomes) and walk over the entries of rows that have moved on until a vacuum
-- takes them: 8 µs for a thousand. By default that comes after a fifth of the table: at ten million
-- payment requests two million entries, 16 ms in each run of each loop, and in each list of EXPIRED.
-- After 20,000 and 0.2 % it is 40,000 there. A vacuum reads all indexes of the table, 5 GB there: in
-- return for 40,000 moves, so that it costs each move the same at every size. Without
-- vacuum_index_cleanup it would leave the entries alone, because so few pages are concerned.
alter table payment_requests set (
  autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_scale_factor = 0.002,
  vacuum_index_cleanup = on,
  -- Once a fiftieth is new: the plans know of the last weeks, and looking at 30,000 rows is cheap.
  autovacuum_analyze_scale_factor = 0.02);
alter table webhook_deliveries set (
  autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_scale_factor = 0.002,
  vacuum_index_cleanup = on, autovacuum_analyze_scale_factor = 0.02);
alter table network_requests set (
  autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_scale_factor = 0.002,
  vacuum_index_cleanup = on);
alter table sandbox_steps set (
  autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_scale_factor = 0.002,
  vacuum_index_cleanup = on,
  -- A step is claimed and done in its page: due_at, the indexed column, never changes. Only its end
  -- takes it out of the index.
  fillfactor = 80);

-- What only grows is vacuumed for its inserts, so that old pages are frozen in parts of a fiftieth
-- and not millions at a time; what is pruned leaves its dead entries at the old end, where the
-- feed's first page and the next batch begin: after a hundredth, not a fifth.
alter table payment_request_events set (autovacuum_vacuum_insert_scale_factor = 0.02);
alter table payment_request_timeline set (autovacuum_vacuum_insert_scale_factor = 0.02);
alter table webhook_events set (
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.01);
alter table webhook_attempts set (
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.01);
alter table idempotency_answers set (
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.01);

-- payment_requests has no fillfactor: its status is indexed, so that no move could stay out of the
-- indexes however much room its page had. That of webhook_deliveries (0003) stands.
