// The script of the basket's page: a change of a quantity is sent at once, without the button.

/** The changes are sent in the order in which the customer made them. */
let last = Promise.resolve();
let count = 0;

/** @param {string} selector @param {ParentNode} page @returns {HTMLElement} */
function find(selector, page = document) {
  const found = page.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`The page has no ${selector}.`);
  return found;
}

function hideButtons() {
  for (const button of document.querySelectorAll('form[data-quantity] button')) {
    button.setAttribute('hidden', '');
  }
}

/** @param {HTMLFormElement} form @param {URLSearchParams} body @returns {Promise<string>} */
async function send(form, body) {
  const answer = await fetch(form.action, { method: 'POST', body });
  if (!answer.ok) throw new Error(`The shop answered ${answer.status}.`);
  return answer.text();
}

/** Shows the server's basket in place of this one; the focus stays. @param {string} text */
function show(text) {
  const page = new DOMParser().parseFromString(text, 'text/html');
  const focused = document.activeElement?.id;
  for (const part of ['main', '.bar']) find(part).replaceWith(find(part, page));
  hideButtons();
  (document.getElementById(focused ?? '') ?? find('main')).focus({ preventScroll: true });
  const news = document.querySelector('main .total') ?? find('h1');
  find('#news').textContent = Array.from(news.childNodes, (part) => part.textContent).join(' ');
}

document.addEventListener('change', (event) => {
  const form = event.target instanceof HTMLSelectElement && event.target.form;
  if (!form || !('quantity' in form.dataset)) return;
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  const mine = ++count;
  last = last
    .then(() => send(form, body))
    // A later change is on its way: its answer has this one, too.
    .then((text) => (mine === count ? show(text) : undefined))
    // The browser sends the form and shows the server's answer.
    .catch(() => form.submit());
});

hideButtons();
