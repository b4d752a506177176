-- The list of cases: newest first, of all merchants or of one.
create index operator_cases_by_time on operator_cases (opened_at desc, id desc);
create index operator_cases_of_merchant on operator_cases (merchant_id, opened_at desc, id desc)
  where merchant_id is not null;

-- The case about a movement of a bank file.
create index operator_cases_by_reference on operator_cases ((details ->> 'networkReference'));

-- The money of a day, and the statements with which it is compared.
create index bank_statements_by_day on bank_statements (day);

-- Code of the previous version reads no index (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (52, 15);
