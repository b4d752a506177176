/** Institutions of the simulated network: invented, all of them. */
export interface Institution {
  /** In addresses, and in an institution's own look. */
  readonly id: string;
  readonly name: string;
  /** Shown first, in this order. */
  readonly isPopular: boolean;
  readonly isDownForMaintenance: boolean;
  /** The one or two letters of its mark. */
  readonly initials: string;
  /** Its own colour, dark enough for white text: 4.5:1 (WCAG 2.2 AA). */
  readonly colour: string;
  /** Its colour for links and focus on a dark page. */
  readonly lightColour: string;
}

const institution = (
  id: string,
  name: string,
  initials: string,
  [colour, lightColour]: readonly [string, string],
  { isPopular = false, isDownForMaintenance = false } = {},
): Institution => ({ id, name, initials, colour, lightColour, isPopular, isDownForMaintenance });

const popular = { isPopular: true };

export const INSTITUTIONS: readonly Institution[] = [
  institution('boreal-bank', 'Boreal Bank', 'BB', ['#0f5c46', '#7fdcbd'], popular),
  institution('banque-du-fleuve', 'Banque du Fleuve', 'BF', ['#1d3f8f', '#a3bdff'], popular),
  institution('harbour-trust', 'Harbour Trust', 'HT', ['#8a1c2b', '#ffabb6'], popular),
  institution('prairie-wheat', 'Prairie Wheat Credit Union', 'PW', ['#7a4a00', '#ffcb7d'], popular),
  institution('caisse-vieux-port', 'Caisse du Vieux-Port', 'CV', ['#5a2a82', '#d7b2ff']),
  institution('cedar-and-stone', 'Cedar & Stone Bank', 'CS', ['#4c4a16', '#dfdc8a']),
  institution('saguenay-savings', 'Saguenay Savings', 'SS', ['#0b5566', '#8bdcf0']),
  institution('kestrel', 'Kestrel Digital Bank', 'KD', ['#a0320a', '#ffb394']),
  institution('rideau-mutual', 'Rideau Mutual', 'RM', ['#233a52', '#b3cfee']),
  institution('tundra-federal', 'Tundra Federal', 'TF', ['#3b4a57', '#c3d3e0']),
  institution('silver-birch', 'Silver Birch Bank', 'SB', ['#55595e', '#d0d4d9'], {
    isDownForMaintenance: true,
  }),
];

/** The order in which payers look for institutions: popular ones, then the others from A to Z. */
export const INSTITUTIONS_IN_ORDER: readonly Institution[] = [
  ...INSTITUTIONS.filter(({ isPopular }) => isPopular),
  ...INSTITUTIONS.filter(({ isPopular }) => !isPopular).sort((one, other) =>
    one.name.localeCompare(other.name, 'en'),
  ),
];

export function findInstitution(id: unknown): Institution | undefined {
  return INSTITUTIONS.find((each) => each.id === id);
}
