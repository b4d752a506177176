import type { NotificationOutcome } from '../order-store.ts';
import { refusals, refundStatuses as statuses } from './refunds-en.ts';
import type { ReasonTexts, StateTexts } from './text-types.ts';

const states: StateTexts = {
  AT_PICKUP: {
    heading: 'Your order is reserved',
    text: 'We keep it at the counter for a week. You pay when you pick it up.',
  },
  UNPAID: {
    heading: 'Your order is waiting for its payment',
    text: 'You have not started a payment yet. We pack your order as soon as it is paid.',
  },
  AWAITING_PAYMENT: {
    heading: 'Your order is waiting for its payment',
    text:
      'No payment has arrived so far. If you have confirmed one at your bank, wait a moment: ' +
      'this page follows by itself.',
  },
  SETTLING: {
    heading: 'Your bank is settling the payment',
    text:
      'You have confirmed it, and your bank is not done with it yet. There is nothing for you to ' +
      'do: please do not pay again. This page follows by itself.',
  },
  PAID_NOT_CONFIRMED: {
    heading: 'Your payment has arrived',
    text:
      'We are waiting for the payment service to notify us, and release your order the moment it ' +
      'does. You don’t need to pay again or to stay on this page.',
  },
  RELEASED: {
    heading: 'Paid. Your order is released',
    text: 'We are packing it now. You can pick it up at our counter from tomorrow at eight.',
  },
  MONEY_RETURNED: {
    heading: 'Your bank took the payment back',
    text: 'We keep your order here and do not hand it out. We call you to find out why.',
  },
  DECLINED: {
    heading: 'You declined the payment',
    text: 'Nothing has been paid. We keep your order and your basket, should you change your mind.',
  },
  FAILED: {
    heading: 'The payment did not go through',
    text: 'Your order is not paid. We keep it: try again, with your bank or another one.',
  },
  EXPIRED: {
    heading: 'The payment page has expired',
    text: 'We keep your order. Start a new payment when you like.',
  },
  CANCELLED: {
    heading: 'The payment was cancelled',
    text: 'Your order is not paid. Start a new payment if you still want it.',
  },
};

const reasons: ReasonTexts = {
  PAYER_DECLINED: 'You chose not to pay on your bank’s page.',
  AUTHENTICATION_FAILED: 'Your bank could not sign you in.',
  INSUFFICIENT_FUNDS: 'Your account does not hold enough money for this payment.',
  ACCOUNT_RESTRICTED:
    'Your bank does not allow this payment from your account. Your bank can tell you why.',
  AMOUNT_LIMIT_EXCEEDED:
    'The amount is above a limit of your account or your bank. Your bank can tell you more.',
  SUSPECTED_FRAUD: 'Your bank stopped the payment to protect you. Please ask your bank.',
  INSTITUTION_UNAVAILABLE: 'Your bank did not answer.',
  NETWORK_REJECTED: 'The e-transfer network did not accept your payment.',
  NETWORK_TIMEOUT:
    'Your bank did not finish in time. If your money still arrives, we release your order and ' +
    'this page says so.',
  LINK_EXPIRED: 'Your payment did not arrive in time.',
  CANCELLED_BY_MERCHANT: 'We cancelled this payment, so that you do not pay by mistake.',
};

const outcomes: Readonly<Record<NotificationOutcome, string>> = {
  RELEASED: 'order released',
  NOTED: 'noted, nothing released',
  PAID_AGAIN: 'paid a second time: a person gives the money back',
  AMOUNT_DIFFERS: 'the amount is not the order’s: a person looks into it',
  RETURNED: 'the money was taken back: do not ship',
  REFUND_NOTED: 'a refund noted, nothing released',
  UNKNOWN: 'not about an order of ours',
};

export const en = {
  states,
  reasons,
  refusals,
  frame: {
    skip: 'Skip to the content',
    noticeLabel: 'Notice',
    notice: 'A demonstration: no real money moves, and nothing is shipped.',
    shop: 'Shop',
    basket: 'Basket',
    items: (count: number): string => (count === 1 ? 'item' : 'items'),
    windowLabel: 'Payment window',
    developers: 'For developers.',
    developersText:
      'This shop runs against the production environment, on a simulated e-transfer network. In ' +
      'the sandbox, the payer’s name decides how a payment ends.',
    sandbox: 'Open the sandbox’s documentation',
    orderData: 'Behind the counter: this order’s webhooks',
  },
  paymentWindow: {
    creating: 'Opening the payment window …',
    paying: 'Pay in the window that has opened. This page follows by itself.',
    closed:
      'The payment window is closed, and we have not heard of a payment yet. If you have ' +
      'confirmed it, this page will know in a moment.',
    over: '',
    leaving: 'Taking you to the payment page …',
    failed: 'The payment page could not be opened. Nothing has been paid; please try again.',
    show: 'Show the window',
    reopen: 'Reopen the window',
    check: 'Check again',
  },
  catalogue: {
    title: 'Coffee, and what it takes',
    welcome:
      'Roasted on Tuesdays in small batches. Pick up your order at our counter, any day from ' +
      'eight.',
    add: 'Add',
    toTheBasket: (name: string) => `${name} to the basket`,
    added: (name: string) => `${name} is in your basket.`,
    goToBasket: 'Go to the basket',
  },
  basket: {
    title: 'Your basket',
    empty: 'Your basket is empty',
    emptyText: 'Nothing in it yet. That is easy to change.',
    toTheShop: 'See what we have',
    unpaid: (number: number) =>
      `Order ${number} is not paid yet. You can still pay it. If you change your basket and ` +
      'check out again, the new order replaces it.',
    toTheOrder: (number: number) => `Go to order ${number}`,
    sum: 'Summary',
    goods: 'Goods',
    pickup: 'Pickup at the counter',
    free: 'Free',
    toPay: 'To pay',
    checkOut: 'Check out',
    quantity: 'Quantity',
    takeOut: '0 (remove)',
    change: 'Change',
    theQuantityOf: (name: string) => `the quantity of ${name}`,
  },
  checkout: {
    title: 'Check out',
    faultyTitle: 'Error: check out',
    lookAgain: 'Please look at this again',
    error: 'Error: ',
    who: 'Who is it for?',
    name: 'Your name',
    email: 'E-mail address',
    mobileNumber: 'Mobile number',
    mobileNumberHint: 'Instead of an e-mail address, or as well.',
    tender: 'How would you like to pay?',
    eTransfer: 'e-Transfer from your bank',
    eTransferText: 'A payment page opens, on which you choose your bank, sign in and confirm.',
    atPickup: 'At the counter',
    atPickupText: 'We keep your order for a week. Pay when you pick it up.',
    placeOrder: (total: string) => `Place the order: ${total}`,
    yourOrder: 'Your order',
    changeBasket: 'Change the basket',
  },
  faults: {
    nameMissing: 'Enter your name.',
    nameTooLong: 'Use at most 100 characters for your name.',
    nameForbidden: 'Use letters, spaces and punctuation only in your name.',
    contactMissing: 'Enter your e-mail address, or a mobile number below.',
    emailFormat: 'Enter an e-mail address such as name@example.com.',
    mobileNumberFormat: 'Enter a mobile number with 10 to 15 digits.',
    tenderMissing: 'Choose how to pay.',
  },
  order: {
    name: (number: number) => `Order ${number}`,
    title: (number: number, heading: string) => `Order ${number}: ${heading}`,
    message: (number: number, goods: string) => `Order ${number}: ${goods}`,
    pay: (total: string) => `Pay: ${total}`,
    goToPayment: (total: string) => `Go to the payment: ${total}`,
    tryAgain: (total: string) => `Try again: ${total}`,
    newPayment: (total: string) => `Start a new payment: ${total}`,
    steps: ['Ordered', 'Paid', 'Released'],
    done: 'done',
    toDo: 'to do',
    goods: 'Your goods',
    sum: 'Total',
    customer: (name: string) => `For ${name}`,
    receipt: (institution: string) => `Paid with ${institution}, reference `,
    refunded: 'Refunded',
    refundedOf: (refunded: string, paid: string) => `${refunded} of ${paid}`,
    notCurrent:
      'The payment service does not answer just now, so this is what we knew last. Nothing is ' +
      'lost.',
  },
  staff: {
    title: 'Staff: latest orders',
    none: 'No orders so far.',
    states: {
      paid: 'Paid',
      unpaid: 'Not paid',
      returned: 'Money returned: do not ship, call the customer',
    },
    refunded: 'Refunded',
    onlyTitle: 'For the shop’s staff only',
    onlyText: 'Open the staff’s link in this browser first. The start of the shop prints it.',
  },
  refunds: {
    title: (number: number) => `Refund order ${number}`,
    faultyTitle: (number: number) => `Error: refund order ${number}`,
    returned: 'Money returned: do not ship. Call the customer.',
    unavailable:
      'The payment service does not answer just now, so nothing can be refunded. Load this page ' +
      'again in a moment.',
    nothingPaid: 'No payment has arrived for this order. There is nothing to give back.',
    payment: (attempt: number) => `Payment ${attempt}`,
    received: 'Received',
    refunded: 'Refunded',
    takenBack: 'Taken back by the bank',
    available: 'Available to refund',
    giveBack: 'Give money back',
    amount: 'Amount',
    amountHint: (available: string) => `At most ${available}. A part is possible.`,
    reason: 'Reason',
    reasons: {
      REQUESTED_BY_CUSTOMER: 'The customer asked for it',
      DUPLICATE: 'Paid twice',
      FRAUDULENT: 'Fraud',
      OTHER: 'Another reason',
    },
    message: 'Message (optional)',
    messageHint: 'Appears on the customer’s bank statement, if the bank carries it.',
    submit: 'Refund the amount',
    soFar: 'Refunds so far',
    none: 'None so far.',
    statuses,
    sendAgain: 'Send it again',
    toTheOrder: 'The customer’s page of this order',
    toTheOrders: 'All latest orders',
  },
  refundFaults: {
    amountFormat: 'Enter an amount above zero, such as 10.00.',
    reasonMissing: 'Choose a reason.',
    messageTooLong: 'Use at most 140 characters for the message.',
    messageForbidden: 'Use letters, digits and punctuation only in the message.',
  },
  messages: {
    notFound: 'There is nothing here',
    notFoundText: 'The address may be mistyped, or the page no longer exists.',
    toTheShop: 'Go to the shop',
    unavailable: 'The payment service does not answer',
    unavailableText: 'Your order is kept, and nothing has been paid. Please try again in a moment.',
    toTheOrder: 'Back to your order',
  },
  developers: {
    title: (number: number) => `Behind the counter: order ${number}`,
    lead: 'For developers: the shop’s data about this order, and where they come from.',
    payment: 'Payment request',
    none: 'none yet',
    status: 'Status, as read from the service',
    reason: 'Reason, as read from the service',
    released: 'Released by a webhook',
    notYet: 'not yet',
    state: 'Order state',
    webhooks: 'Webhooks',
    noWebhooks: 'None so far.',
    outcomes,
    repeats: (times: number) => `came ${times} times, repeats ignored`,
    toTheOrder: 'Back to the customer’s page',
  },
};

/** The English texts give the type of every catalogue: the compiler finds a missing text. */
export type Texts = typeof en;
