export interface UnseenFault {
  readonly name: string;
  /** How to see it, on a copy of the shop. */
  readonly recipe: string;
}

/** The faults of a listener that its answers do not show, with a recipe for each. */
export function unseenFaults(program: string): readonly UnseenFault[] {
  return [
    {
      name: 'a repeat that is worked on twice',
      recipe:
        `${program} trigger depositDuplicate --webhook-url <url> sends one webhook twice. The ` +
        'order must be released once.',
    },
    {
      name: 'an event that is answered before it is stored',
      recipe:
        `Let the work on an event wait for a minute. Run ${program} trigger depositSubmit:0 ` +
        '--webhook-url <url>, and end the listener with kill -9 as soon as trigger has ended. ' +
        'Start the listener again: the order must be released, without another webhook.',
    },
  ];
}

/** The text below the table of checks. @param url the listener's, as it was given */
export function unseenInWords(unseen: readonly UnseenFault[], url: string): string[] {
  return [
    'No check from outside sees these two faults. Try both before you trust the listener:',
    ...unseen.map(({ name, recipe }) => `- ${name}: ${recipe.replaceAll('<url>', url)}`),
  ];
}
