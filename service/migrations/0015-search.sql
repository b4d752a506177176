-- The texts by which people search payment requests, filled behind commits by a background loop
-- (decision 0140). A creation writes no row of these tables.

-- A row for each payment request: the payer's name, the customer number, references and message,
-- folded by search-texts/search-text.ts. No foreign key: its check would write a lock into each payment
-- request. An erasure writes the row again; retention deletes it.
create table payment_request_texts (
  payment_request_id uuid primary key,
  merchant_id        text collate "C" not null,
  search_text        text not null
)
with (autovacuum_vacuum_insert_scale_factor = 0.02);
create index payment_request_texts_of_merchant
  on payment_request_texts (merchant_id, payment_request_id);
create index payment_request_texts_trigrams
  on payment_request_texts using gin (search_text gin_trgm_ops);

-- The place of the loop. Its row is the lock under which every text is written: a text that was
-- read before an erasure is never written after it.
create table payment_request_text_progress (
  only_row         boolean primary key default true check (only_row),
  -- Creations and updates of this transaction and of earlier ones have their texts.
  created_until    xid8 not null default '0',
  updated_until    xid8 not null default '0',
  -- Payment requests that no transaction orders, as after a restored dump: those with this id and
  -- above have their texts.
  history_from     uuid not null default 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  -- null: some are left.
  history_ended_at timestamptz
)
with (fillfactor = 50);
insert into payment_request_text_progress default values;
