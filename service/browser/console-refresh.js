// Keeps parts of a page up to date that change by themselves, until the server says that they are
// done: reads the page again and puts those parts in place. Open details stay open.
const PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 30000;
// Ten minutes: a page that a person left open must not keep the session awake for ever.
const MOST_LOOKS = 300;

let looks = 0;

/** @param {number} pauseMs */
function lookAgain(pauseMs) {
  if (looks >= MOST_LOOKS || !document.querySelector('[data-refresh]')) return;
  setTimeout(async () => {
    if (document.hidden) return lookAgain(pauseMs);
    looks += 1;
    lookAgain((await look()) ? PAUSE_MS : Math.min(pauseMs * 2, LONGEST_PAUSE_MS));
  }, pauseMs);
}

async function look() {
  try {
    const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
    // A redirect leads to the sign-in: the session is over, and the page stays as it is.
    if (!answer.ok || answer.redirected) return false;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    for (const old of document.querySelectorAll('[data-refresh]')) {
      const fresh = page.getElementById(old.id);
      if (fresh) replace(old, fresh);
    }
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {Element} old
 * @param {Element} fresh
 */
function replace(old, fresh) {
  // A reader with the keyboard may be within the part: the focus would be lost.
  if (old.contains(document.activeElement)) return;
  const open = [...old.querySelectorAll('details')].map((details) => details.open);
  old.replaceWith(fresh);
  for (const [at, details] of fresh.querySelectorAll('details').entries()) {
    if (open[at]) details.open = true;
  }
  document.dispatchEvent(new Event('refreshed'));
}

lookAgain(PAUSE_MS);
