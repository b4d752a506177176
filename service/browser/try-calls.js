// Sends the calls of the page with the person's credentials, which stay in the fields of the page,
// and shows the answers. The call with curl names variables in place of the secrets.
const EARLY_MS = 60_000;

/** @typedef {{ token: string, until: number, owner: string }} Token */
/** @type {Token | null} */
let known = null;

/** @param {string} name of a field of the credentials */
function credential(name) {
  const form = /** @type {HTMLFormElement} */ (document.getElementById('credentials'));
  return /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value.trim();
}

function basic() {
  const bytes = new TextEncoder().encode(`${credential('username')}:${credential('password')}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

/** The access token, bought once for its hour. @returns {Promise<string | Response>} a refusal */
async function accessToken() {
  const owner = basic();
  if (known?.owner === owner && known.until > Date.now()) return known.token;
  const form = document.getElementById('credentials');
  const answer = await fetch(form?.dataset.tokenUrl ?? '', {
    method: 'POST',
    credentials: 'omit',
    headers: { authorization: owner },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  if (!answer.ok) return answer;
  const { access_token: token, expires_in: seconds } = await answer.json();
  known = { token, owner, until: Date.now() + seconds * 1000 - EARLY_MS };
  return token;
}

/**
 * The call of a form, without credentials.
 * @param {HTMLFormElement} form
 */
function callOf({ dataset, elements }) {
  let address = dataset.url ?? '';
  const query = new URLSearchParams();
  /** @type {Record<string, string>} */
  const headers = {};
  /** @type {string | undefined} */
  let body;
  for (const field of elements) {
    if (field instanceof HTMLTextAreaElement) body = field.value;
    if (!(field instanceof HTMLInputElement) || field.value === '') continue;
    const {
      name,
      value,
      dataset: { in: place },
    } = field;
    if (place === 'path') address = address.replace(`{${name}}`, encodeURIComponent(value));
    if (place === 'query') query.append(name, value);
    if (place === 'header') headers[name] = value;
  }
  if (body !== undefined) headers['content-type'] = dataset.type ?? '';
  const url = query.size > 0 ? `${address}?${query}` : address;
  return { method: dataset.method ?? 'GET', url, headers, body };
}

/** @param {string} text @returns {string} the JSON with line breaks, its numbers as they came */
function indented(text) {
  try {
    /** @type {any} */
    const json = JSON;
    const keep = (/** @type {string} */ _, /** @type {unknown} */ value, /** @type {any} */ at) =>
      typeof value === 'number' ? json.rawJSON(at.source) : value;
    return json.stringify(json.parse(text, keep), null, 2);
  } catch {
    return text;
  }
}

/** @param {ReturnType<typeof callOf>} call @param {string | undefined} auth */
function curlOf({ method, url, headers, body }, auth) {
  const word = (/** @type {string} */ text) => `'${text.replaceAll("'", "'\\''")}'`;
  const lines = [`curl -X ${method} ${word(url)}`];
  if (auth === 'BASIC') lines.push('-u "$API_USERNAME:$API_PASSWORD"');
  if (auth === 'TOKEN') {
    lines.push('-H "x-api-key: $API_KEY"', '-H "Authorization: Bearer $TOKEN"');
  }
  for (const [name, value] of Object.entries(headers))
    lines.push(`-H ${word(`${name}: ${value}`)}`);
  if (body !== undefined) lines.push(`-d ${word(body)}`);
  return lines.join(' \\\n  ');
}

/** @param {HTMLFormElement} form @param {Record<string, string>} texts the status and the parts */
function show(form, { status = '', ...parts }) {
  const template = document.querySelector('template');
  let place = form.querySelector('.answer');
  if (!place) {
    form.append(/** @type {DocumentFragment} */ (template?.content.cloneNode(true)));
    place = /** @type {Element} */ (form.querySelector('.answer'));
  }
  for (const part of place.querySelectorAll('[data-part]')) {
    const text = parts[/** @type {HTMLElement} */ (part).dataset.part ?? ''] ?? '';
    /** @type {HTMLElement} */ (part).hidden = text === '';
    const code = part.querySelector('code');
    if (code) code.textContent = text;
  }
  const line = place.querySelector('[role]');
  if (line) line.textContent = status;
  document.dispatchEvent(new Event('refreshed'));
}

/**
 * Puts the id of what was created into the forms of the calls about it.
 * @param {string} url @param {string} text the answer
 */
function offerId(url, text) {
  const id = /"id":"([0-9a-f-]{36})"/.exec(text)?.[1];
  for (const form of id ? document.forms : []) {
    const field = form.elements.namedItem('id');
    const isAbout = form.dataset.url?.startsWith(`${url}/{`);
    if (isAbout && field instanceof HTMLInputElement) field.value = id ?? '';
  }
}

/** @param {HTMLFormElement} form */
async function send(form) {
  const call = callOf(form);
  const { auth } = form.dataset;
  const curl = curlOf(call, auth);
  const headers = new Headers(call.headers);
  const began = performance.now();
  try {
    if (auth === 'BASIC') headers.set('authorization', basic());
    const token = auth === 'TOKEN' ? await accessToken() : '';
    if (auth === 'TOKEN') headers.set('x-api-key', credential('apiKey'));
    if (auth === 'TOKEN' && typeof token === 'string') {
      headers.set('authorization', `Bearer ${token}`);
    }
    const isRefused = typeof token !== 'string';
    const answer = isRefused
      ? token
      : await fetch(call.url, {
          method: call.method,
          headers,
          credentials: 'omit',
          ...(call.body !== undefined && { body: call.body }),
        });
    const text = await answer.text();
    const took = `${Math.round(performance.now() - began)} ms`;
    const whose = isRefused ? 'The token call was refused: ' : '';
    show(form, {
      status: `${whose}${answer.status} ${answer.statusText} · ${took}`,
      body: indented(text),
      headers: [...answer.headers].map((pair) => pair.join(': ')).join('\n'),
      curl,
    });
    if (answer.ok && call.method === 'POST') offerId(call.url, text);
  } catch (error) {
    show(form, { status: `The call could not be sent: ${error}`, curl });
  }
}

function openNamed() {
  const called = document.getElementById(location.hash.slice(1));
  if (called instanceof HTMLDetailsElement) called.open = true;
}

for (const form of document.querySelectorAll('form[data-url]')) {
  const button = /** @type {HTMLButtonElement} */ (form.querySelector('button'));
  button.disabled = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    // A disabled button would lose the focus of the keyboard.
    if (button.ariaBusy === 'true') return;
    button.ariaBusy = 'true';
    await send(/** @type {HTMLFormElement} */ (form));
    button.ariaBusy = 'false';
  });
}
document
  .getElementById('credentials')
  ?.addEventListener('submit', (event) => event.preventDefault());
addEventListener('hashchange', openNamed);
openNamed();
