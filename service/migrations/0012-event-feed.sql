-- How far the feed is behind what was committed: the oldest event that a transaction still running
-- keeps from being shown. The feed's own index begins with the merchant. On an expression, so that
-- no plan walks through all merchants' events here to find those of one.
create index webhook_events_by_transaction on webhook_events ((transaction_id::text::bigint));
-- What is kept for 90 days and then goes, the oldest first, with its deliveries.
create index webhook_events_to_prune on webhook_events (created_at);
-- Attempts of deliveries that live on, because they were sent again or are still owed.
create index webhook_attempts_to_prune on webhook_attempts (started_at);

-- In the sandbox a payer's name can ask that the webhooks of its payment request misbehave
-- (contract, section 8). Never set in production.
alter table webhook_events add column misbehaviour text
  check (misbehaviour in ('DUPLICATE', 'BAD_SIGNATURE', 'NO_WEBHOOK'));
