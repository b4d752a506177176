// Adds a search box to the list of institutions. It only hides what does not match; choosing stays
// a choice, and the form is sent by its button alone.
const list = /** @type {HTMLElement | null} */ (document.querySelector('[data-search]'));
const box = /** @type {HTMLTemplateElement | null} */ (document.querySelector('template'));

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
      const isChosen = row.querySelector('input')?.checked;
      row.hidden = !isChosen && !words.every((word) => name.includes(word));
      if (!row.hidden) count += 1;
    }
    for (const heading of headings) {
      heading.hidden = !heading.querySelector('label:not([hidden])');
    }
    told.textContent = (told.dataset.text ?? '').replace('#', `${count}`);
  });
  // Enter in a search box searches; it must not send the form.
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') event.preventDefault();
  });
}

if (list && box) addSearch(list, box);
