-- Money that only a camt.052 or camt.054 without the bank's reference told of: when the statement of
-- its day is there and lacks it, an operator learns of it (bank-transfer §4).
create index bank_movements_waiting on bank_movements (position)
  where outcome = 'WAITING' and reported_at is null;

-- Code of the previous version leaves the index as it is (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (72, 15);
