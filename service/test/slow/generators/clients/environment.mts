/** The service under test and its merchant, as the test passes them. */
export const credentials: Readonly<Record<'origin' | 'username' | 'password' | 'apiKey', string>> =
  JSON.parse(process.env.CREDENTIALS ?? '{}');

/** The findings of a client, which the test reads. */
export interface Findings {
  readonly amount: number;
  readonly statuses: readonly (string | undefined)[];
  readonly listed: boolean | undefined;
  readonly refusal: string | undefined;
}

export function report(findings: Findings): void {
  process.stdout.write(JSON.stringify(findings));
}
