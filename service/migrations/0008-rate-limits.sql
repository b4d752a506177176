-- What each merchant's calls have taken out of the current second's budget, over all processes
-- (contract, section 7). Unlogged: a count that a crash empties was a second old, and counting must
-- not cost the disk.
create unlogged table rate_limit_windows (
  merchant_id text not null,
  kind        text not null check (kind in ('reads', 'writes', 'tokens')),
  -- The second that is counted, by service_now().
  second      timestamptz not null,
  -- What the processes have taken to hand out; may go beyond the budget, and is nobody's then.
  taken       integer not null,
  primary key (merchant_id, kind)
)
-- One row is written over and over; room in the page keeps the index out of it.
with (fillfactor = 50);
