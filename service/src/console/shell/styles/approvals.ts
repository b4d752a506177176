/** Lists of people, and choices of a form beside their buttons. */
export const APPROVAL_STYLE = `
hr { margin: 1.25rem 0; border: 0; border-top: 1px solid var(--line); }
.compare th[scope="row"] { white-space: normal; }
.compare td { overflow-wrap: anywhere; }
@media (max-width: 34rem) { .compare th, .compare td { padding: .4rem; } }
.compare + details { margin: 0 0 1.25rem; }
ul.plain { margin: 0; padding: 0; list-style: none; }
label.choice { display: flex; gap: .6rem; align-items: center; padding: .3rem 0; font-weight: 400; }
label.choice input { flex: none; }
`;
