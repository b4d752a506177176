// Opens the chosen language in all tabs with code, and remembers it for other pages.
const LANGUAGE = 'docs-language';

/** @param {string} label */
function chooseTabs(label) {
  const chosen = `.code-tabs > input[value="${CSS.escape(label)}"]`;
  for (const input of document.querySelectorAll(chosen)) {
    /** @type {HTMLInputElement} */ (input).checked = true;
  }
}

function followTabs() {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.matches('.code-tabs > input')) return;
    const before = target.parentElement?.getBoundingClientRect().top ?? 0;
    chooseTabs(target.value);
    // Panels above have another height now: what the person looks at stays in place.
    scrollBy(0, (target.parentElement?.getBoundingClientRect().top ?? 0) - before);
    try {
      localStorage.setItem(LANGUAGE, target.value);
    } catch {
      // A browser that stores nothing begins with the first language.
    }
  });
  try {
    chooseTabs(localStorage.getItem(LANGUAGE) ?? '');
  } catch {
    // A browser that stores nothing keeps the first language.
  }
  const anchor = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (anchor instanceof HTMLLabelElement) anchor.click();
}

followTabs();
