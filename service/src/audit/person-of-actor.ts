/** The actor `console (Ada, https://id.example subject)` is a person of the console. */
const PERSON = /^console \((.+?), (?:by link|https?:\/\/\S+ .+)\)$/;

/**
 * The name of a person of the console, without the identity: a subject may hold commas and spaces.
 *
 * @returns null: another actor
 */
export function personOfActor(actor: string): string | null {
  return PERSON.exec(actor)?.[1] ?? null;
}
