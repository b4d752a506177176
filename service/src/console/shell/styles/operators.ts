/** Lists without marks in cells and cards, choices of a form, and secrets that are shown once. */
export const OPERATOR_STYLE = `
ul.plain { list-style: none; margin: 0; padding: 0; }
td ul.plain { min-width: 18rem; }
main form + form, main form + p { margin-top: 1.25rem; }
ul.plain li { margin: 0 0 .25rem; overflow-wrap: anywhere; }
label.choice { display: flex; gap: .5rem; align-items: center; font-weight: 400; }
.secrets code { user-select: all; }
a.act { display: inline-block; min-height: 1.75rem; margin: 0 .75rem .25rem 0; padding: .15rem 0; }
textarea { min-height: 5rem; }
`;
