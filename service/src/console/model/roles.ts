/** The roles of people who work for the operator: they see every merchant of the deployment. */
export const OPERATOR_ROLES = ['operator', 'operator-readonly'] as const;
/** The roles of a merchant's people: each grant names its merchant. */
export const MERCHANT_ROLES = ['administrator', 'support', 'finance', 'viewer'] as const;

export const ROLES = [...OPERATOR_ROLES, ...MERCHANT_ROLES] as const;

export type OperatorRole = (typeof OPERATOR_ROLES)[number];
export type MerchantRole = (typeof MERCHANT_ROLES)[number];
export type Role = (typeof ROLES)[number];

/** A role of a person, and the merchant for whom it holds; null for an operator's role. */
export type Grant =
  | { readonly role: OperatorRole; readonly merchantId: null }
  | { readonly role: MerchantRole; readonly merchantId: string };

/** How a person signed in. A session of a one-time link approves nothing. */
export const SIGN_IN_KINDS = ['OIDC', 'LINK'] as const;
export type SignInKind = (typeof SIGN_IN_KINDS)[number];

/** A person, as the identity provider names one: issuer and subject together are unique. */
export interface Person {
  /** The issuer's URL; `payreq` for a one-time link. */
  readonly issuer: string;
  readonly subject: string;
  /** For people to read, never to decide by. */
  readonly name: string;
}

/** Reads a role as claims and commands write it: `operator`, `support@mer_…`. */
export function parseGrant(text: string): Grant | null {
  const [name = '', merchantId, ...rest] = text.split('@');
  if (rest.length > 0) return null;
  const operatorRole = OPERATOR_ROLES.find((role) => role === name);
  if (operatorRole)
    return merchantId === undefined ? { role: operatorRole, merchantId: null } : null;
  const merchantRole = MERCHANT_ROLES.find((role) => role === name);
  return merchantRole && merchantId ? { role: merchantRole, merchantId } : null;
}

/** The text that `parseGrant` reads. */
export function grantText({ role, merchantId }: Grant): string {
  return merchantId === null ? role : `${role}@${merchantId}`;
}
