import { type Grant, grantText, parseGrant } from '#console/model/roles.ts';

/** A rule of CONSOLE_ROLES: people with a value of the roles claim have a role. */
export interface RoleRule {
  /** The value; a `*` stands for the id of a merchant. */
  readonly value: string;
  /** `operator` or `support@mer_1`; in `support@*` the value names the merchant. */
  readonly grant: string;
}

/** A session holds no more; a person with more roles is a mistake of the provider's groups. */
const MOST_GRANTS = 100;
/** Providers put a few hundred groups into a token at most. */
const MOST_VALUES = 2_000;
/** Groups of directories have the longest names. */
const LONGEST_VALUE = 500;
/** Merchant ids have this form; no other text of a claim becomes one. */
const MERCHANT_ID = /^[A-Za-z0-9_-]{1,64}$/;
const EXAMPLE = 'payment-operators=operator or books-support=support@mer_1';

/**
 * Reads `value=role` rules that semicolons or lines separate.
 *
 * @throws Error whose message ends the sentence "NAME …"
 */
export function readRoleRules(text: string): RoleRule[] {
  return text
    .split(/[;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(readRule);
}

/** The last `=` ends the value: names of directories (CN=…,OU=…) have some. */
function readRule(text: string): RoleRule {
  const split = text.lastIndexOf('=');
  const value = text.slice(0, Math.max(0, split)).trim();
  const grant = text.slice(split + 1).trim();
  if (value === '' || value.length > LONGEST_VALUE) {
    throw new Error(`has "${text}", which is no rule such as ${EXAMPLE}`);
  }
  const merchantId = parseGrant(grant)?.merchantId;
  if (merchantId === undefined || !(merchantId === null || isMerchant(merchantId))) {
    throw new Error(`has "${text}", whose role is none such as in ${EXAMPLE}`);
  }
  const stars = value.split('*').length - 1;
  if (stars !== (merchantId === '*' ? 1 : 0)) {
    throw new Error(`has "${text}", in which * must stand once on both sides, or on neither`);
  }
  return { value, grant };
}

function isMerchant(text: string): boolean {
  return text === '*' || MERCHANT_ID.test(text);
}

/** More grants than a session may hold. */
export class TooManyGrants extends Error {}

/**
 * The grants that the values of a person's roles claim give, each once.
 *
 * @throws TooManyGrants beyond 100 grants
 */
export function grantsOf(values: readonly string[], rules: readonly RoleRule[]): Grant[] {
  const grants = new Map<string, Grant>();
  for (const value of values.slice(0, MOST_VALUES)) {
    for (const rule of rules) {
      const grant = grantOf(value, rule);
      if (grant) grants.set(grantText(grant), grant);
    }
    if (grants.size > MOST_GRANTS) throw new TooManyGrants();
  }
  return [...grants.values()];
}

function grantOf(value: string, rule: RoleRule): Grant | null {
  if (!rule.grant.endsWith('@*')) return value === rule.value ? parseGrant(rule.grant) : null;
  const [before = '', after = ''] = rule.value.split('*');
  const isLongEnough = value.length > before.length + after.length;
  if (!isLongEnough || !value.startsWith(before) || !value.endsWith(after)) return null;
  const merchantId = value.slice(before.length, value.length - after.length);
  return MERCHANT_ID.test(merchantId) ? parseGrant(rule.grant.replace('*', merchantId)) : null;
}
