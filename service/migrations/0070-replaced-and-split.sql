-- A corrected booking replaces the money of an earlier one; one transfer is split among payment
-- requests (decisions 0115, 0116).
alter table operator_cases drop constraint operator_cases_settlement_check;
-- Not valid: the check before allowed less, and a look at every row would lock the table.
alter table operator_cases add constraint operator_cases_settlement_check check
  (settlement in ('ACCEPTED', 'ASSIGNED', 'REFUNDED', 'CLOSED', 'REPLACED', 'SPLIT')) not valid;

alter table proposals drop constraint proposals_kind_check;
alter table proposals add constraint proposals_kind_check check
  (kind in ('REFUND', 'CASE_ACCEPT', 'CASE_ASSIGN', 'CASE_REFUND', 'CASE_REPLACE', 'CASE_SPLIT',
            'REFUND_FAIL', 'ACCOUNT_SET', 'ACCOUNT_CLOSE')) not valid;

-- The movements that the bank has booked before under the same reference with another amount. No
-- foreign keys, since rows end by their own age.
alter table bank_movements add column corrected_ids uuid[] not null default '{}';

-- An earlier booking that a corrected one has replaced is found by its reference.
create index ledger_entries_adjusted on ledger_entries (network_reference)
  where type = 'ADJUSTMENT';

-- Code of the previous version leaves the column as it is (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (70, 15);
