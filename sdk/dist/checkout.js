"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.openCheckout = openCheckout;
exports.closePaymentWindow = closePaymentWindow;
const WINDOW_NAME = 'payment-request';
const WINDOW_FEATURES = 'popup,width=480,height=760';
const POLL_MS = 2_000;
const GRACE_MS = 15_000;
const GRACE_POLL_MS = 1_000;
const LATE_POLL_MS = 10_000;
const LONGEST_POLL_MS = 1_800_000;
const IN_APP = /\b(FBAN|FBAV|Instagram|Line|MicroMessenger|Snapchat|TikTok|LinkedInApp)\b|; wv\)/;
let pending;
function openCheckout({ create, isOver, onState, waitingText = 'One moment…' }) {
    if (pending) {
        pending.reopen();
        return pending;
    }
    let popup = openWindow('');
    let link;
    let state;
    const ended = new AbortController();
    function move(next, error) {
        if (state === next)
            return;
        state = next;
        if (next === 'over' || next === 'failed')
            ended.abort();
        onState?.(next, error);
    }
    function leave(to) {
        move('leaving');
        location.assign(to);
    }
    const poll = createPoller({
        isOver,
        isClosed: () => !popup || popup.closed,
        onAnswer: (isOver, isClosed) => move(isOver ? 'over' : isClosed ? 'closed' : 'paying'),
        signal: ended.signal,
    });
    const checkout = {
        reopen() {
            if (popup && !popup.closed)
                return popup.focus();
            popup = openWindow(link ?? '');
            if (link === undefined)
                showWaiting(popup, waitingText);
            else if (popup)
                poll();
            else
                leave(link);
        },
        check: () => link !== undefined && poll(),
        stop: () => ended.abort(),
    };
    async function start() {
        const isBlocked = popup === null;
        try {
            const { href, origin } = readPaymentLink((await create()).paymentLink);
            link = href;
            listen(poll, (event) => event.source === popup && event.origin === origin, ended.signal);
        }
        catch (error) {
            popup?.close();
            return move('failed', error);
        }
        finally {
            pending = undefined;
        }
        if (isBlocked && !popup)
            return leave(link);
        if (popup && !popup.closed)
            popup.location.replace(link);
        poll();
    }
    pending = checkout;
    move('creating');
    showWaiting(popup, waitingText);
    start();
    return checkout;
}
function closePaymentWindow() {
    try {
        const { location: shown } = opener;
        if (window.name !== WINDOW_NAME)
            return false;
        if (shown.pathname !== location.pathname)
            shown.assign(location.href);
        opener.focus();
        close();
        return closed;
    }
    catch {
        return false;
    }
}
function readPaymentLink(paymentLink) {
    const url = new URL(paymentLink);
    if (!/^https?:$/.test(url.protocol))
        throw new TypeError(`${url.protocol} is no payment link`);
    return url;
}
function createPoller({ isOver, isClosed, onAnswer, signal }) {
    let timer;
    let startedAt = 0;
    let closedAt = 0;
    signal.addEventListener('abort', () => clearTimeout(timer));
    async function poll() {
        clearTimeout(timer);
        let answer = false;
        try {
            answer = await isOver();
        }
        catch {
        }
        if (signal.aborted)
            return;
        clearTimeout(timer);
        const now = Date.now();
        closedAt = isClosed() ? closedAt || now : 0;
        onAnswer(answer, closedAt > 0);
        if (answer || now - startedAt > LONGEST_POLL_MS)
            return;
        const afterClosingMs = now - closedAt < GRACE_MS ? GRACE_POLL_MS : LATE_POLL_MS;
        timer = setTimeout(poll, closedAt ? afterClosingMs : POLL_MS);
    }
    return () => {
        startedAt = Date.now();
        if (!signal.aborted)
            poll();
    };
}
function listen(poll, isOurs, signal) {
    addEventListener('message', (event) => isOurs(event) && poll(), { signal });
    addEventListener('focus', poll, { signal });
    addEventListener('pageshow', poll, { signal });
}
function openWindow(url) {
    if (IN_APP.test(navigator.userAgent))
        return null;
    const opened = window.open(url, WINDOW_NAME, WINDOW_FEATURES);
    opened?.focus();
    return opened;
}
function showWaiting(popup, text) {
    try {
        const page = (popup).document;
        page.title = text;
        page.body.style.cssText = 'color-scheme:light dark;font:1.25rem system-ui;margin:3rem 1.5rem';
        page.body.textContent = text;
    }
    catch {
    }
}
