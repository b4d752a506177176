import { html } from 'ghtml';

export const REFERENCE_SCRIPT_PATH = '/docs/reference.js';
export const START_SCRIPT_PATH = '/docs/start.js';

/** The page that the script fills. It loads only the two scripts and the document. */
export const REFERENCE_PAGE = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<title>Payment Requests API</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="app"></div>
<noscript><p>This page needs JavaScript. The same is in
<a href="/openapi.json">/openapi.json</a>, and the problems are at
<a href="/problems">/problems</a>.</p></noscript>
<script src="${REFERENCE_SCRIPT_PATH}"></script>
<script src="${START_SCRIPT_PATH}"></script>
</body>
</html>
`;

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
  // At 320 px a text for screen readers overflows the page by a few pixels.
  customCss: 'html { overflow-x: clip; }',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
} as const;

const configuration = JSON.stringify(CONFIGURATION);
export const START_SCRIPT = `Scalar.createApiReference('#app', ${configuration});\n`;
