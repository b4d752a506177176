/**
 * The colours of every page, light and dark: 4.5:1 for text and 3:1 for the focus ring, in both
 * schemes (WCAG 2.2 AA).
 */
export const COLOURS = `
:root {
  color-scheme: light dark;
  --page: #f3f5f8; --card: #ffffff; --text: #17202e; --quiet: #4a5668; --line: #d5dbe4;
  --accent: #0b5cad; --notice: #fff3cf; --notice-text: #563c00; --notice-line: #e3c873;
  --code: #eaeff6; --on-accent: #ffffff; --good: #12703a; --bad: #a8261b; --wait: #7a4a00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #10151c; --card: #19202a; --text: #e9eef5; --quiet: #aab6c6; --line: #36414f;
    --accent: #8cc3ff; --notice: #382c0b; --notice-text: #ffe19b; --notice-line: #5c4a18;
    --code: #242e3b; --on-accent: #07213d; --good: #6fd698; --bad: #ff9c92; --wait: #ffcb7d;
  }
}
`;
