/** The queues of deliveries that a call of the sandbox brought forward begin so (decision 0154). */
export const ADVANCED = 'advanced ';

export function isAdvanced({ destination }: { readonly destination: string }): boolean {
  return destination.startsWith(ADVANCED);
}
