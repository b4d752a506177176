/** Paper shows the content alone. */
export const PRINT_STYLE = `
@media print {
  :root {
    color-scheme: light;
    --page: #fff; --card: #fff; --text: #000; --quiet: #000; --line: #999; --accent: #000;
    --notice: #fff; --notice-text: #000; --notice-line: #999; --code: #fff;
  }
  .bar, .sections, .skip, .actions, .pager, .filters, .foot { display: none; }
  .frame { display: block; }
  main { padding: 0; }
  .card { border: 0; padding: 0; }
}
`;
