-- The number of the cell that this database belongs to (docs/decisions/0062): user names, API keys,
-- short codes and page ids of every cell but the first begin with its mark. null: not recorded yet.
alter table deployment add column cell smallint check (cell between 1 and 999);
update deployment set cell = 1 where exists (select from merchants);

-- A short code begins with the mark of its cell.
alter table payment_requests
  drop constraint payment_requests_short_code_check,
  -- Not valid: a check of old rows would lock the table, and the former check held them.
  add constraint payment_requests_short_code_check
    check (short_code ~ '^(c([2-9]|[1-9][0-9]{1,2})-)?[0-9A-Za-z]{16}$') not valid;

-- A page's key, too.
alter table bank_transfer_requests
  drop constraint bank_transfer_requests_page_key_check,
  add constraint bank_transfer_requests_page_key_check
    check (page_key ~ '^(c([2-9]|[1-9][0-9]{1,2})-)?[0-9A-Za-z_-]{22}$') not valid;

-- Code of the previous version writes names without a mark, which the checks allow
-- (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (40, 15);
