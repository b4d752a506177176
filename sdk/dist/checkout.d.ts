/**
 * The payment window on a merchant's page. Your own server decides whether the payment is over.
 *
 * @module
 */
export type CheckoutState = 'creating' | 'paying' | 'closed' | 'over' | 'leaving' | 'failed';
export type CheckoutOptions = {
    /**
     * asks your own server to create
     * the payment request
     */
    create: () => Promise<{
        readonly paymentLink: string;
    }>;
    /**
     * asks your own server for the order's state; true ends
     * the polling. The script calls it every few seconds and ignores a rejection.
     */
    isOver: () => Promise<boolean>;
    /**
     * gets every change of state
     */
    onState?: (state: CheckoutState, error?: unknown) => void;
    /**
     * the window shows it until the link is known
     */
    waitingText?: string;
};
export type Checkout = {
    /**
     * shows the window again; call it inside a click
     */
    reopen: () => void;
    /**
     * polls the order's state at once
     */
    check: () => void;
    /**
     * ends the polling; the window stays open
     */
    stop: () => void;
};
/**
 * Opens the payment window. Call it inside the handler of a click, before any `await`.
 *
 * @param {CheckoutOptions} options
 * @returns {Checkout}
 * @example
 * button.addEventListener('click', () => {
 *   const checkout = openCheckout({
 *     create: () => fetch('/orders/1042/payment', { method: 'POST' }).then((r) => r.json()),
 *     isOver: () => fetch('/orders/1042/is-over').then((r) => r.json()),
 *   });
 *   reopenButton.onclick = () => checkout.reopen();
 * });
 */
export declare function openCheckout({ create, isOver, onState, waitingText }: CheckoutOptions): Checkout;
/**
 * For the page behind `returnUrl`: closes the payment window if the page is shown in it; the tab
 * that opened the window shows the page instead.
 *
 * @returns {boolean} false when no window closes
 */
export declare function closePaymentWindow(): boolean;
