/** The actor `console (Ada, https://id.example subject)` is a person of the console. */
const PERSON = /^console \((.+?), (?:by link|https?:\/\/\S+ .+)\)$/;

/** Between the people of an act that needs several: approvers, and the one who proposed it. */
const NEXT_ACTOR = / and (?=console \(|payreq \()|, as proposed by /;

export function partsOfActor(actor: string): readonly string[] {
  return actor.split(NEXT_ACTOR);
}

/**
 * The name of a person of the console, without the identity: a subject may hold commas and spaces.
 *
 * @returns null: another actor
 */
export function personOfActor(actor: string): string | null {
  return PERSON.exec(actor)?.[1] ?? null;
}
