-- The account under which the bank's statements list this one: for a Swiss QR-IBAN the ordinary IBAN,
-- known from the first statement with an entry of the QR-IBAN. null: the statements name this one.
alter table creditor_ibans add column statement_account text collate "C";
create index creditor_ibans_by_statement_account on creditor_ibans (statement_account)
  where statement_account is not null;

-- Whether a former version of an account still waits for money.
create index bank_transfer_requests_unpaid on bank_transfer_requests (account_id, expires_at)
  where state <> 'PAID';
create index bank_refunds_sent on bank_refunds (account_id) where state = 'SENT';

-- Money that waits for the statement of its day: few rows.
create index bank_movements_waiting on bank_movements (account, created_at)
  where outcome = 'WAITING';

-- Code of the previous version leaves the column as it is (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (61, 15);
