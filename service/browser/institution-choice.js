// Names the chosen institution on the button, and adds a search box to the list. The search only
// hides what does not match; choosing stays a choice, and the form is sent by its button alone.
const list = /** @type {HTMLElement | null} */ (document.querySelector('[data-search]'));
const box = /** @type {HTMLTemplateElement | null} */ (document.querySelector('template'));
const button = /** @type {HTMLElement | null} */ (document.querySelector('[data-to]'));

/** Without accents and in lower case, so that "prefere" finds "Préféré". @param {string} text */
const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

/** @param {HTMLElement} list @param {HTMLTemplateElement} box */
function addSearch(list, box) {
  list.before(box.content.cloneNode(true));
  const field = /** @type {HTMLInputElement} */ (document.querySelector('#search'));
  const told = /** @type {HTMLElement} */ (document.querySelector('#found'));
  const rows = [.../** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll('label'))];
  const headings = [
    .../** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll('[data-part]')),
  ];
  field.addEventListener('input', () => {
    const words = plain(field.value).split(/\s+/);
    let count = 0;
    for (const row of rows) {
      const name = plain(row.textContent ?? '');
      const isFound = words.every((word) => name.includes(word));
      // The chosen institution stays in sight.
      row.hidden = !isFound && !row.querySelector('input')?.checked;
      if (isFound) count += 1;
    }
    for (const heading of headings) {
      heading.hidden = !heading.querySelector('label:not([hidden])');
    }
    const { text = '', none = '' } = told.dataset;
    told.textContent = count > 0 ? text.replace('#', `${count}`) : none;
  });
  // Enter in a search box searches; it must not send the form.
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') event.preventDefault();
  });
}

/** @param {HTMLElement} list @param {HTMLElement} button */
function nameTarget(list, button) {
  const chosen = list.querySelector('input:checked')?.closest('label');
  const name = chosen?.querySelector('[data-name]')?.textContent;
  if (name) button.textContent = (button.dataset.to ?? '').replace('#', () => name);
}

if (list && box) addSearch(list, box);
if (list && button) {
  list.addEventListener('change', () => nameTarget(list, button));
  nameTarget(list, button);
}
