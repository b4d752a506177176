-- The page to which the payer's pages lead back, as it was sent. It is null for payment requests without
-- such a page, and for those of the previous version.
alter table payment_requests add column return_url text;
-- Origins that a payment request's returnUrl may have in production.
alter table merchants add column return_origins text[] not null default '{}';

-- Code of the previous version leaves the columns empty (docs/decisions/0031).
insert into schema_compatibility (schema, works_with) values (25, 15);
