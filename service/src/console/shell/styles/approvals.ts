/** Lists of people, and choices of a form beside their buttons. */
export const APPROVAL_STYLE = `
ul.plain { margin: 0; padding: 0; list-style: none; }
label.choice { display: flex; gap: .6rem; align-items: center; padding: .3rem 0; font-weight: 400; }
label.choice input { flex: none; }
`;
