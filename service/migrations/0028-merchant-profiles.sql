-- The data with which a merchant shows itself to payers, beside its registered name. Only operators
-- write it (payreq merchant set-profile): payers rely on it against forged requests.
create table merchant_profiles (
  merchant_id     text collate "C" primary key references merchants,
  display_name    text check (char_length(display_name) between 1 and 100),
  support_email   text check (char_length(support_email) between 3 and 254),
  support_phone   text check (char_length(support_phone) between 7 and 30),
  website         text check (website like 'https://_%' and char_length(website) <= 2048),
  -- `#rrggbb`; beside text, never under or in it.
  accent_colour   text check (accent_colour ~ '^#[0-9a-f]{6}$'),
  -- SHA-256 of the logo.
  logo_hash       bytea,
  updated_at      timestamptz not null default service_now()
);

-- Logos by their contents, so that an address never changes what it answers. A logo goes when no
-- profile names it.
create table merchant_logos (
  -- SHA-256 of the image.
  hash       bytea primary key check (octet_length(hash) = 32),
  -- A PNG that this service has written itself.
  png        bytea not null check (octet_length(png) <= 131072),
  created_at timestamptz not null default service_now()
);
alter table merchant_profiles add constraint merchant_profiles_logo_hash_fkey
  foreign key (logo_hash) references merchant_logos;

-- Code of the previous version reads neither table (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (28, 15);
