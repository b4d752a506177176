-- A bank takes money back that a corrected booking has replaced: these cases name both bookings.
create index operator_cases_of_replaced on operator_cases
  using gin ((details -> 'correctedReferences')) where settlement = 'REPLACED';

-- The previous version does without the index (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (72, 15);
