-- The timeline, the erasure of a payer and reports of the network look for cases of one payment
-- request; the cases of years stay.
create index operator_cases_of_payment_request on operator_cases (payment_request_id)
  where payment_request_id is not null;

-- Code of the previous version leaves the index as it is (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (35, 15);
