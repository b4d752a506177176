-- An act that waits for a second person (decision 0068). What the act would do is fixed at the
-- proposal; the rows are kept, because the audit log names them.
create table proposals (
  -- Also the key under which the act happens once.
  id               uuid primary key,
  kind             text not null check (kind in
                     ('REFUND', 'CASE_ACCEPT', 'CASE_ASSIGN', 'CASE_REFUND', 'CASE_REPLACE',
                      'CASE_SPLIT', 'REFUND_FAIL', 'REFUND_COMPLETE', 'ACCOUNT_SET', 'ACCOUNT_CLOSE',
                      'TEMPLATE_SET', 'TEMPLATE_ARCHIVE')),
  -- The matter, such as a case: two open proposals about it would contradict each other.
  target           text collate "C" not null,
  -- null: money that no merchant can be named for.
  merchant_id      text collate "C",
  amount_cents     bigint,
  params           jsonb not null,
  -- The facts at the proposal; the act happens only while they are the same.
  facts_before     jsonb not null,
  -- The facts after a rehearsal of the act.
  facts_after      jsonb not null,
  -- SHA-256 of kind, params and facts_before; approvers see and send it.
  payload_hash     bytea not null check (octet_length(payload_hash) = 32),
  status           text not null default 'WAITING' check (status in
                     ('WAITING', 'APPROVED', 'EXECUTED', 'FAILED', 'DECLINED', 'WITHDRAWN',
                      'EXPIRED')),
  -- The values are those of the audit log.
  proposer         text not null,
  -- The OpenID Connect subject; null: a one-time link or the command line, which never counts.
  proposer_issuer  text collate "C",
  proposer_subject text collate "C",
  proposed_at      timestamptz not null,
  expires_at       timestamptz not null,
  approved_at      timestamptz,
  -- By service_now(): a process that runs approved acts has it until some seconds later.
  tried_at         timestamptz,
  ended_at         timestamptz,
  -- The person who declined or withdrew.
  ended_by         text,
  -- The reason of a decline, or the sentence of a failure.
  reason           text,
  -- The result of the act, or the facts that refused it.
  outcome          jsonb,
  constraint proposals_proposer check ((proposer_issuer is null) = (proposer_subject is null)),
  constraint proposals_time check (expires_at > proposed_at),
  constraint proposals_approved check
    (status not in ('APPROVED', 'EXECUTED', 'FAILED') or approved_at is not null),
  constraint proposals_ended check
    ((status in ('WAITING', 'APPROVED')) = (ended_at is null))
);
create unique index proposals_open_target on proposals (target)
  where status in ('WAITING', 'APPROVED');
create index proposals_waiting on proposals (expires_at) where status = 'WAITING';
create index proposals_to_execute on proposals (approved_at) where status = 'APPROVED';
create index proposals_of_merchant on proposals (merchant_id, id);

-- A person counts once, by issuer and subject: names and e-mail addresses can be another's.
create table proposal_approvals (
  proposal_id uuid not null references proposals,
  issuer      text collate "C" not null,
  subject     text collate "C" not null,
  -- The values are those of the audit log.
  approver    text not null,
  approved_at timestamptz not null,
  primary key (proposal_id, issuer, subject)
);

-- Beside the rules of the code: neither a fault of the code nor a hand-written UPDATE makes an act
-- out of one person's proposal, or another act out of an approved one.
create function guard_proposal() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.status <> 'WAITING' then
      raise exception 'a proposal begins as WAITING'
        using errcode = 'check_violation', constraint = 'proposals_moves';
    end if;
    return new;
  end if;
  if (new.id, new.kind, new.target, new.merchant_id, new.amount_cents, new.params,
      new.facts_before, new.facts_after, new.payload_hash, new.proposer, new.proposer_issuer,
      new.proposer_subject, new.proposed_at, new.expires_at)
     is distinct from
     (old.id, old.kind, old.target, old.merchant_id, old.amount_cents, old.params,
      old.facts_before, old.facts_after, old.payload_hash, old.proposer, old.proposer_issuer,
      old.proposer_subject, old.proposed_at, old.expires_at) then
    raise exception 'the content of a proposal is fixed'
      using errcode = 'check_violation', constraint = 'proposals_fixed';
  end if;
  if new.status = old.status then
    if old.status not in ('WAITING', 'APPROVED') then
      raise exception 'a proposal that has ended is fixed'
        using errcode = 'check_violation', constraint = 'proposals_fixed';
    end if;
    return new;
  end if;
  if not ((old.status = 'WAITING' and
           new.status in ('APPROVED', 'DECLINED', 'WITHDRAWN', 'EXPIRED')) or
          (old.status = 'APPROVED' and new.status in ('EXECUTED', 'FAILED'))) then
    raise exception 'no proposal moves from % to %', old.status, new.status
      using errcode = 'check_violation', constraint = 'proposals_moves';
  end if;
  if new.status = 'APPROVED' and 2 > (
    select count(*) from (
      select issuer, subject from proposal_approvals where proposal_id = new.id
      union
      select new.proposer_issuer, new.proposer_subject where new.proposer_issuer is not null
    ) people) then
    raise exception 'an act needs two people'
      using errcode = 'check_violation', constraint = 'proposals_two_people';
  end if;
  return new;
end $$;
create trigger proposals_guard before insert or update on proposals
  for each row execute function guard_proposal();
