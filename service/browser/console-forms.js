// The controls of forms that need a script to follow a person: files with the words of the page,
// the palette of a colour, and the preview of a payer's page. The forms work without it.

/** @param {string} name @returns {HTMLInputElement | null} */
const field = (name) => document.querySelector(`main [name="${name}"]`);

for (const part of document.querySelectorAll('.file:has(label)')) {
  const input = /** @type {HTMLInputElement} */ (part.querySelector('input'));
  const place = /** @type {HTMLOutputElement} */ (part.querySelector('output'));
  const none = place.textContent;
  for (const each of part.children) each.toggleAttribute('hidden', false);
  input.classList.add('unseen');
  input.addEventListener('change', () => {
    place.textContent = input.files?.[0]?.name ?? none;
  });
}

for (const each of document.querySelectorAll('[data-colour-of]')) {
  const palette = /** @type {HTMLInputElement} */ (each);
  const text = field(palette.dataset.colourOf ?? '');
  if (!text) continue;
  const follow = () => {
    if (isColour(text.value)) palette.value = text.value.trim();
    // A palette always has a colour: a field without one shows none.
    palette.classList.toggle('empty', !isColour(text.value));
  };
  follow();
  palette.hidden = false;
  palette.previousElementSibling?.toggleAttribute('hidden', true);
  text.addEventListener('input', follow);
  palette.addEventListener('input', () => {
    text.value = palette.value;
    text.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

/** @param {string} text */
function isColour(text) {
  return /^#[0-9a-f]{6}$/i.test(text.trim());
}

const preview = /** @type {HTMLElement | null} */ (document.querySelector('[data-preview]'));
if (preview) followProfile(preview);

/** @param {HTMLElement} preview whose names, colour and logo are those of the form */
function followProfile(preview) {
  const [shown, registered] = preview.querySelectorAll('bdi');
  const stripe = preview.querySelector('.stripe');
  const image = preview.querySelector('img');
  const saved = image?.hidden ? '' : (image?.src ?? '');
  if (!shown || !registered || !stripe || !image) return;

  const showNames = () => {
    const own = field('name')?.value.trim() || preview.dataset.preview || '';
    registered.textContent = own;
    shown.textContent = field('displayName')?.value.trim() || own;
    const line = /** @type {HTMLElement} */ (registered.parentElement);
    line.hidden = shown.textContent === own;
    const colour = field('accentColour')?.value ?? '';
    stripe.toggleAttribute('hidden', !isColour(colour));
    stripe.firstElementChild?.setAttribute('fill', isColour(colour) ? colour.trim() : 'none');
  };
  const showLogo = async () => {
    const file = field('logo')?.files?.[0];
    const kept = field('logoRemove')?.checked ? '' : saved;
    image.src = file ? await addressOf(file) : kept || 'data:,';
    image.hidden = !file && !kept;
  };
  document.addEventListener('input', showNames);
  document.addEventListener('change', showLogo);
  showNames();
}

/** @param {Blob} file @returns {Promise<string>} the policy of pages lets no other address in */
function addressOf(file) {
  const reader = new FileReader();
  return new Promise((resolve) => {
    reader.onload = () => resolve(String(reader.result));
    reader.readAsDataURL(file);
  });
}
