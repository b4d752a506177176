/** The pages of people who are not signed in: a card in the middle. */
export const SIGN_IN_STYLE = `
.gate { max-width: 32rem; margin: 6vh auto 2rem; padding: 1.5rem 1.75rem; }
.gate .actions { margin: 1.25rem 0 0; }
.gate .field { max-width: none; }
@media (max-width: 34rem) { .gate { margin-top: 0; padding: 1.25rem; } }
ul.plain { margin: 0; padding: 0; list-style: none; }
`;
