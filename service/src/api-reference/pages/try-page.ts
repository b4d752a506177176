import { html } from 'ghtml';
import { readStyle } from '#http/pages/style.ts';

export const REFERENCE_SCRIPT_PATH = '/docs/reference.js';
export const START_SCRIPT_PATH = '/docs/start.js';

/**
 * The page on which calls can be tried, filled by a large script. The reference itself needs no
 * script. The page loads only the two scripts and the document.
 */
export const TRY_PAGE = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<title>Try the Payment Requests API</title>
<link rel="icon" href="data:,">
</head>
<body>
<nav aria-label="Reference">
<p><a href="/docs">API reference</a>: the same text, without a script.</p></nav>
<div id="app"></div>
<noscript><p>This page needs JavaScript to send calls.</p></noscript>
<script src="${REFERENCE_SCRIPT_PATH}" defer></script>
<script src="${START_SCRIPT_PATH}" defer></script>
</body>
</html>
`;

/** The theme's own colours of small texts are too faint for WCAG 2.2 AA. */
const STYLE = readStyle('docs/try');

/** The page must not call any other service. */
const CONFIGURATION = {
  url: '/openapi.json',
  // System fonts: the default fonts come from the author's servers.
  withDefaultFonts: false,
  theme: 'default',
  telemetry: false,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  documentDownloadType: 'direct',
  persistAuth: false,
  customCss: STYLE,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
} as const;

const configuration = JSON.stringify(CONFIGURATION);
export const START_SCRIPT = `Scalar.createApiReference('#app', ${configuration});\n`;
