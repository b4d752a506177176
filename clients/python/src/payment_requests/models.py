# Made from the OpenAPI document by `npm run docs`; do not edit.
"""The bodies and answers of the API: dictionaries with the names of the wire.

A later version of the service may add members and values: ignore those that you do not know.
"""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Literal, NotRequired, TypedDict, Union

from ._amounts import Amount

Instant = Union[str, datetime]
"""An instant: text as in 2026-03-01T12:00:00Z, or a `datetime` with a time zone."""

Day = Union[str, date]
"""A day: text as in 2026-03-01, or a `date`."""

# Numbers of these members are read as `Decimal`.
AMOUNT_MEMBERS = frozenset(
    {
        "amount",
        "amountAvailable",
        "amountReceived",
        "amountRefunded",
        "amountReturned",
        "closingSum",
        "expectedAmountAvailable",
        "openingSum",
    },
)


class CreatePaymentRequestBodyDelivery(TypedDict):
    """When the link is sent, and what else."""

    sendDateTime: NotRequired[Instant]
    reminders: NotRequired[list[int]]
    quietHours: NotRequired[bool]
    receipt: NotRequired[bool]


class CreatePaymentRequestBodyMerchant(TypedDict):
    id: NotRequired[str]
    """If sent it must be your own."""


class CreatePaymentRequestBodyPayer(TypedDict):
    """The person who pays."""

    name: str
    """1 to 100 characters after trimming. In the sandbox some names drive the simulator."""
    merchantAccountId: NotRequired[str]
    """Your account reference for the payer."""
    email: NotRequired[str]
    """At least one of email and mobileNumber is needed."""
    mobileNumber: NotRequired[str]
    """10 to 15 digits, beside + - ( ) and spaces."""
    preferredLanguage: NotRequired[str]
    """Two letters, or xx-YY."""


class CreatePaymentRequestBodyEmailTemplate(TypedDict):
    id: NotRequired[str]
    """Your e-mail template."""


class CreatePaymentRequestBody(TypedDict):
    merchantTransactionId: NotRequired[str]
    """Your own reference."""
    amount: Amount
    """Above zero, with at most two decimals."""
    currency: NotRequired[str]
    """If sent it must be the currency of answers."""
    type: NotRequired[Literal["ECOMM"]]
    """For web applications."""
    deliveryMode: NotRequired[Literal["NONE", "EMAIL", "SMS"]]
    """How the payer gets the link."""
    delivery: NotRequired[CreatePaymentRequestBodyDelivery]
    """When the link is sent, and what else."""
    merchant: NotRequired[CreatePaymentRequestBodyMerchant]
    payer: CreatePaymentRequestBodyPayer
    """The person who pays."""
    dueDate: NotRequired[Day]
    """Informational: a calendar date."""
    expiryDateTime: NotRequired[Instant]
    """When the link stops being payable: 5 minutes to 365 days ahead."""
    displayMessage: NotRequired[str]
    """Text shown to the payer."""
    invoiceNumber: NotRequired[str]
    """Your invoice number."""
    businessUnit: NotRequired[str]
    """Your business unit."""
    emailTemplate: NotRequired[CreatePaymentRequestBodyEmailTemplate]
    webhookUrl: NotRequired[str]
    """The HTTPS address of its webhook events."""
    callbackUrl: NotRequired[str]
    """Another name of webhookUrl."""
    returnUrl: NotRequired[str]
    """The HTTPS page to which the payer’s pages link back."""
    metadata: NotRequired[dict[str, str]]
    """Your own keys and values, echoed: up to 20."""


class PaymentRequestDelivery(TypedDict):
    """When the link is sent, and what else."""

    sendDateTime: NotRequired[str]
    reminders: NotRequired[list[int]]
    quietHours: NotRequired[bool]
    receipt: NotRequired[bool]


class PaymentRequestPayer(TypedDict):
    """The person who pays."""

    name: str
    """1 to 100 characters after trimming. In the sandbox some names drive the simulator."""
    merchantAccountId: NotRequired[str]
    """Your account reference for the payer."""
    email: NotRequired[str]
    """At least one of email and mobileNumber is needed."""
    mobileNumber: NotRequired[str]
    """10 to 15 digits, beside + - ( ) and spaces."""
    preferredLanguage: NotRequired[str]
    """Two letters, or xx-YY."""


class PaymentRequestEmailTemplate(TypedDict):
    id: NotRequired[str]
    """Your e-mail template."""


class PaymentRequestMerchant(TypedDict):
    id: str
    name: str


Status = Literal["CREATED", "PROCESSING", "PAID", "FAILED", "EXPIRED", "CANCELLED"]
"""PAID is final; FAILED, EXPIRED and CANCELLED can become PAID late. More may be added."""


StatusReasonCode = Literal[
    "PAYER_DECLINED",
    "AUTHENTICATION_FAILED",
    "INSUFFICIENT_FUNDS",
    "ACCOUNT_RESTRICTED",
    "AMOUNT_LIMIT_EXCEEDED",
    "SUSPECTED_FRAUD",
    "INSTITUTION_UNAVAILABLE",
    "NETWORK_REJECTED",
    "NETWORK_TIMEOUT",
    "LINK_EXPIRED",
    "CANCELLED_BY_MERCHANT",
]


class StatusReason(TypedDict):
    """Why it did not end as paid."""

    code: StatusReasonCode
    message: str
    """The reason, for people."""


class Payment(TypedDict):
    """The money that arrived."""

    institution: str
    """The payer’s institution."""
    networkReference: str
    """The e-transfer network’s own reference."""
    completedDateTime: str
    """When the network settled it."""
    amountReceived: Decimal
    """All money that has arrived, also what went back later."""


class RefundSummary(TypedDict):
    """What arrived, and what went back."""

    status: Literal["NONE", "PENDING", "PARTIAL", "FULL"]
    """PENDING while a refund is open; else by sum."""
    amountReceived: Decimal
    """All money that has arrived."""
    amountReturned: Decimal
    """Taken back by the network or a bank."""
    amountRefunded: Decimal
    """Given back by COMPLETED refunds."""
    amountAvailable: Decimal
    """What can be given back."""


class PaymentRequestEvents(TypedDict):
    status: Status
    dateTime: str
    """When it was reached."""


MessageStatus = Literal[
    "SCHEDULED",
    "SENT",
    "DELIVERED",
    "BOUNCED",
    "FAILED",
    "SUPPRESSED",
    "CANCELLED",
]


class LinkMessage(TypedDict):
    """The latest one."""

    id: str
    status: MessageStatus
    reason: NotRequired[str]
    dateTime: str


class Link(TypedDict):
    rel: str
    """The target of the link."""
    href: str


class PaymentRequest(TypedDict):
    id: str
    """Its identifier."""
    merchantTransactionId: NotRequired[str]
    """Your own reference."""
    amount: Decimal
    """Always with two decimals."""
    currency: str
    """ISO 4217; always the same."""
    type: Literal["ECOMM"]
    """For web applications."""
    deliveryMode: NotRequired[Literal["NONE", "EMAIL", "SMS"]]
    """How the payer gets the link."""
    delivery: NotRequired[PaymentRequestDelivery]
    """When the link is sent, and what else."""
    payer: PaymentRequestPayer
    """The person who pays."""
    dueDate: str
    """The sent date; by default the date of expiryDateTime (UTC)."""
    displayMessage: NotRequired[str]
    """Text shown to the payer."""
    invoiceNumber: NotRequired[str]
    """Your invoice number."""
    businessUnit: NotRequired[str]
    """Your business unit."""
    emailTemplate: NotRequired[PaymentRequestEmailTemplate]
    webhookUrl: NotRequired[str]
    """The HTTPS address of its webhook events."""
    callbackUrl: NotRequired[str]
    """Another name of webhookUrl."""
    returnUrl: NotRequired[str]
    """The HTTPS page to which the payer’s pages link back."""
    metadata: NotRequired[dict[str, str]]
    """Your own keys and values, echoed: up to 20."""
    merchant: PaymentRequestMerchant
    status: Status
    statusReason: NotRequired[StatusReason]
    paidLate: NotRequired[Literal[True]]
    """The money arrived after the request was over."""
    payment: NotRequired[Payment]
    refundSummary: NotRequired[RefundSummary]
    createdDateTime: str
    """When it was created."""
    expiryDateTime: str
    """When the link stops being payable."""
    shortCode: str
    """The tail of both links."""
    paymentLink: str
    """Open it for the payer."""
    qrCodeLink: str
    """The link as a QR code."""
    events: list[PaymentRequestEvents]
    """Each status that was reached, oldest first."""
    linkMessage: NotRequired[LinkMessage]
    sandboxAdvancedSeconds: NotRequired[int]
    """Sandbox: by how much its time was advanced."""
    links: list[Link]


ListPaymentRequestsStatus = Literal[
    "CREATED",
    "PROCESSING",
    "PAID",
    "FAILED",
    "EXPIRED",
    "CANCELLED",
]


class UpdatePaymentRequestBodyDelivery(TypedDict):
    """When the link is sent, and what else."""

    sendDateTime: NotRequired[Instant]
    reminders: NotRequired[list[int]]
    quietHours: NotRequired[bool]
    receipt: NotRequired[bool]


class UpdatePaymentRequestBodyPayer(TypedDict):
    """Where the payer is reached."""

    email: NotRequired[str | None]
    """At least one of email and mobileNumber is needed."""
    mobileNumber: NotRequired[str | None]
    """10 to 15 digits, beside + - ( ) and spaces."""


class UpdatePaymentRequestBody(TypedDict):
    delivery: NotRequired[UpdatePaymentRequestBodyDelivery | None]
    """When the link is sent, and what else."""
    payer: NotRequired[UpdatePaymentRequestBodyPayer]
    """Where the payer is reached."""
    dueDate: NotRequired[Day]
    """Informational: a calendar date."""
    expiryDateTime: NotRequired[Instant]
    """When the link stops being payable: 5 minutes to 365 days ahead."""
    displayMessage: NotRequired[str | None]
    """Text shown to the payer."""
    invoiceNumber: NotRequired[str | None]
    """Your invoice number."""
    businessUnit: NotRequired[str | None]
    """Your business unit."""
    webhookUrl: NotRequired[str | None]
    """The HTTPS address of its webhook events."""
    callbackUrl: NotRequired[str | None]
    """Another name of webhookUrl."""
    returnUrl: NotRequired[str | None]
    """The HTTPS page to which the payer’s pages link back."""
    metadata: NotRequired[dict[str, str | None] | None]
    """Merged with what is there: a key with null is taken away."""


MessageChannel = Literal["EMAIL", "SMS"]
"""How a message goes to the payer."""


class NewMessage(TypedDict):
    """Without a channel: as deliveryMode says."""

    channel: NotRequired[MessageChannel]


MessageKind = Literal[
    "REQUEST",
    "REMINDER",
    "RECEIPT",
    "REFUND_RECEIPT",
    "REFUND_RETURNED",
    "CANCELLATION",
]
"""More may be added."""


class MessageAttemptLog(TypedDict):
    readDateTime: NotRequired[str]
    """When the payment request was read last, before the recipient was named."""
    endDateTime: str
    """When the exchange ended."""
    outcome: str
    """SENT, another status, or the code of a fault."""


class MessagePreview(TypedDict):
    """In the sandbox, which sends nothing: what a payer would read."""

    subject: NotRequired[str]
    text: str


class Message(TypedDict):
    id: str
    kind: MessageKind
    channel: MessageChannel
    status: MessageStatus
    scheduledDateTime: str
    """When it was or is due."""
    sentDateTime: NotRequired[str]
    """When the mail server took it."""
    attempts: int
    """How many were made."""
    attemptLog: list[MessageAttemptLog]
    """The attempts of the last 90 days, oldest first."""
    reason: NotRequired[str]
    preview: NotRequired[MessagePreview]
    """In the sandbox, which sends nothing: what a payer would read."""


TimelineEntryStatusChangedCause = Literal[
    "CREATED",
    "PAYMENT_ACCEPTED",
    "PAYMENT_SUCCEEDED",
    "PAYMENT_REFUSED",
    "EXPIRY_PASSED",
    "CANCELLED_BY_MERCHANT",
]


class TimelineEntryStatusChanged(TypedDict):
    type: Literal["STATUS_CHANGED"]
    dateTime: str
    requestId: NotRequired[str]
    """The X-Request-Id of the call that did it, if a call did."""
    status: Status
    cause: TimelineEntryStatusChangedCause
    statusReason: NotRequired[StatusReason]


class TimelineEntryLinkOpened(TypedDict):
    type: Literal["LINK_OPENED"]
    dateTime: str
    requestId: NotRequired[str]
    """The X-Request-Id of the call that did it, if a call did."""


class TimelineEntryPayerStep(TypedDict):
    type: Literal["PAYER_STEP"]
    dateTime: str
    requestId: NotRequired[str]
    """The X-Request-Id of the call that did it, if a call did."""
    step: str
    """The act of the payer."""


TimelineEntryCancellationRequestedReason = Literal[
    "DUPLICATE",
    "REQUESTED_BY_CUSTOMER",
    "ABANDONED",
    "FRAUDULENT",
    "OTHER",
]


class TimelineEntryCancellationRequested(TypedDict):
    type: Literal["CANCELLATION_REQUESTED"]
    dateTime: str
    requestId: NotRequired[str]
    """The X-Request-Id of the call that did it, if a call did."""
    reason: NotRequired[TimelineEntryCancellationRequestedReason]
    comment: NotRequired[str]
    requestedBy: NotRequired[Literal["OPERATOR"]]
    """The operator of the service cancelled, not you."""


class TimelineEntryUpdated(TypedDict):
    type: Literal["UPDATED"]
    dateTime: str
    requestId: NotRequired[str]
    """The X-Request-Id of the call that did it, if a call did."""
    fields: list[str]
    """The fields that changed."""


class TimelineEntryPartReceived(TypedDict):
    type: Literal["PART_RECEIVED"]
    dateTime: str
    requestId: NotRequired[str]
    """The X-Request-Id of the call that did it, if a call did."""
    amount: Decimal
    """The part of the amount that arrived."""
    amountReceived: Decimal
    """All parts so far."""


class TimelineEntryMoneyReturned(TypedDict):
    type: Literal["MONEY_RETURNED"]
    dateTime: str
    requestId: NotRequired[str]
    """The X-Request-Id of the call that did it, if a call did."""
    amount: Decimal
    """The amount that the network or a bank took back."""
    reason: NotRequired[str]
    """The reason code of the bank, as in AC04."""


TimelineEntryRefundChangedStatus = Literal["CREATED", "PROCESSING", "COMPLETED", "FAILED"]


class TimelineEntryRefundChanged(TypedDict):
    type: Literal["REFUND_CHANGED"]
    dateTime: str
    requestId: NotRequired[str]
    """The X-Request-Id of the call that did it, if a call did."""
    refundId: str
    merchantRefundId: NotRequired[str]
    """Your own id of the refund."""
    amount: Decimal
    """The amount that goes back."""
    status: TimelineEntryRefundChangedStatus
    """The status that the refund reached. More may be added."""
    reasonCode: NotRequired[str]
    """Why it FAILED."""


TimelineEntryCaseSettledKind = Literal[
    "AMOUNT_MISMATCH",
    "CURRENCY_MISMATCH",
    "REFERENCE_REUSED",
    "SECOND_PAYMENT",
    "UNKNOWN_PAYMENT_REQUEST",
    "PROCESSING_OVERDUE",
    "MONEY_RETURNED",
    "PART_PAYMENT",
    "WRONG_ACCOUNT",
    "AMBIGUOUS_REFERENCE",
    "AMOUNT_ABOVE_LIMIT",
    "UNMATCHED_MONEY",
    "REFUNDED_OUTSIDE",
    "NOT_ON_STATEMENT",
    "REFUNDED_AND_RETURNED",
    "REFUND_ACCOUNT_UNCLEAR",
    "REFUND_AMOUNT",
    "REFUND_OVERDUE",
]


TimelineEntryCaseSettledSettlement = Literal[
    "ACCEPTED",
    "ASSIGNED",
    "REFUNDED",
    "REPLACED",
    "SPLIT",
    "CLOSED",
]


class TimelineEntryCaseSettled(TypedDict):
    type: Literal["CASE_SETTLED"]
    dateTime: str
    kind: TimelineEntryCaseSettledKind
    """The matter of money that the operator of the service settled."""
    settlement: TimelineEntryCaseSettledSettlement


class TimelineEntryMessageChanged(TypedDict):
    type: Literal["MESSAGE_CHANGED"]
    dateTime: str
    messageId: str
    kind: str
    """The kind of the message, as in REQUEST."""
    channel: MessageChannel
    status: MessageStatus
    reason: NotRequired[str]


class TimelineEntrySandboxNote(TypedDict):
    type: Literal["SANDBOX_NOTE"]
    dateTime: str
    requestId: NotRequired[str]
    """The X-Request-Id of the call that did it, if a call did."""
    message: str
    """A probable mistake of the call, in words."""


TimelineEntryWebhookAttemptedEventType = Literal[
    "PAYMENT-COMPLETED",
    "PAYMENT-FAILED",
    "PAYMENT-RETURNED",
    "REFUND-COMPLETED",
    "REFUND-FAILED",
    "MESSAGE-UNDELIVERED",
]


TimelineEntryWebhookAttemptedOutcome = Literal[
    "SUCCEEDED",
    "REDIRECTED",
    "GONE",
    "REFUSED_BY_LISTENER",
    "TIMED_OUT",
    "CONNECT_TIMED_OUT",
    "NAME_TIMED_OUT",
    "NAME_NOT_RESOLVED",
    "FORBIDDEN_URL",
    "FORBIDDEN_ADDRESS",
    "CONNECTION_REFUSED",
    "UNREACHABLE",
    "CONNECTION_LOST",
    "CERTIFICATE_INVALID",
    "TLS_FAILED",
    "MALFORMED_ANSWER",
    "ANSWER_TOO_EARLY",
    "ANSWER_TOO_LARGE",
    "UNKNOWN_FAILURE",
]


class TimelineEntryWebhookAttempted(TypedDict):
    type: Literal["WEBHOOK_ATTEMPTED"]
    dateTime: str
    eventId: str
    eventType: TimelineEntryWebhookAttemptedEventType
    sequence: int
    deliveryId: str
    endpointId: NotRequired[str]
    url: str
    attempt: int
    """The number of the attempt."""
    outcome: TimelineEntryWebhookAttemptedOutcome
    message: str
    """The outcome in words."""
    httpStatus: NotRequired[int]
    """The status of the listener’s answer."""
    responseBody: NotRequired[str]
    """The beginning of its answer."""
    durationMs: int


TimelineEntry = Union[
    TimelineEntryStatusChanged,
    TimelineEntryLinkOpened,
    TimelineEntryPayerStep,
    TimelineEntryCancellationRequested,
    TimelineEntryUpdated,
    TimelineEntryPartReceived,
    TimelineEntryMoneyReturned,
    TimelineEntryRefundChanged,
    TimelineEntryCaseSettled,
    TimelineEntryMessageChanged,
    TimelineEntrySandboxNote,
    TimelineEntryWebhookAttempted,
]
"""Told apart by type; more types may be added."""


CancelPaymentRequestBodyReason = Literal[
    "DUPLICATE",
    "REQUESTED_BY_CUSTOMER",
    "ABANDONED",
    "FRAUDULENT",
    "OTHER",
]


class CancelPaymentRequestBody(TypedDict):
    reason: NotRequired[CancelPaymentRequestBodyReason]
    """Why; kept for the timeline."""
    comment: NotRequired[str]
    """In your own words; kept for the timeline."""


CreateRefundBodyReason = Literal["REQUESTED_BY_CUSTOMER", "DUPLICATE", "FRAUDULENT", "OTHER"]


class CreateRefundBody(TypedDict):
    amount: NotRequired[Amount]
    """The amount to give back, at least 0.01, with at most two decimals; left out: all that is
    available.
    """
    currency: NotRequired[str]
    """If sent it must be the currency of answers."""
    merchantRefundId: NotRequired[str]
    """
    Your own id of the refund, never used before. A repeated call with it gives the same refund, so
    that no refund happens twice.
    """
    expectedAmountAvailable: NotRequired[Amount]
    """The amount that you expect to be available; another one refuses the refund."""
    reason: NotRequired[CreateRefundBodyReason]
    """Why."""
    message: NotRequired[str]
    """Shown on the payer’s bank statement where the network can."""
    webhookUrl: NotRequired[str]
    """Receives the events of this refund, and no others."""


RefundReason = Literal["REQUESTED_BY_CUSTOMER", "DUPLICATE", "FRAUDULENT", "OTHER"]


RefundStatus = Literal["CREATED", "PROCESSING", "COMPLETED", "FAILED"]
"""
CREATED and PROCESSING are open. COMPLETED becomes FAILED only when the money comes back. More may
be added.
"""


RefundStatusReasonCode = Literal[
    "AUTHENTICATION_FAILED",
    "INSTITUTION_UNAVAILABLE",
    "PAYER_DECLINED",
    "ACCOUNT_RESTRICTED",
    "INSUFFICIENT_FUNDS",
    "SUSPECTED_FRAUD",
    "AMOUNT_LIMIT_EXCEEDED",
    "NETWORK_REJECTED",
    "NETWORK_TIMEOUT",
    "PAYER_ACCOUNT_UNKNOWN",
    "PAYMENT_RETURNED",
    "REFUND_RETURNED",
]


class RefundStatusReason(TypedDict):
    """Why it failed."""

    code: RefundStatusReasonCode
    message: str
    """The reason in words, for people."""


class RefundPayment(TypedDict):
    """The money that went back: for reconciliation."""

    networkReference: str
    """The e-transfer network’s own reference."""
    completedDateTime: str
    """When the network executed it."""


class RefundEvents(TypedDict):
    status: RefundStatus
    dateTime: str
    """When it was reached."""


class Refund(TypedDict):
    id: str
    """The refund’s identifier."""
    paymentRequestId: str
    """The payment request’s id."""
    merchantRefundId: NotRequired[str]
    """Your own id of it."""
    reason: RefundReason
    """Why the money goes back."""
    message: NotRequired[str]
    """Shown on the payer’s bank statement where the network can."""
    webhookUrl: NotRequired[str]
    amount: Decimal
    """The amount that goes back."""
    currency: str
    """ISO 4217."""
    status: RefundStatus
    statusReason: NotRequired[RefundStatusReason]
    payment: NotRequired[RefundPayment]
    createdDateTime: str
    """When it was created."""
    events: list[RefundEvents]
    """An entry for each status that was reached, oldest first."""
    links: list[Link]


ListRefundsStatus = Literal["CREATED", "PROCESSING", "COMPLETED", "FAILED"]


ListLedgerEntriesType = Literal[
    "PAYMENT",
    "LATE_PAYMENT",
    "PART_PAYMENT",
    "SECOND_PAYMENT",
    "UNMATCHED",
    "ASSIGNED",
    "RETURN",
    "REFUND",
    "REFUND_RETURN",
    "ADJUSTMENT",
    "FEE",
]


LedgerEntryType = Literal[
    "PAYMENT",
    "LATE_PAYMENT",
    "PART_PAYMENT",
    "SECOND_PAYMENT",
    "UNMATCHED",
    "ASSIGNED",
    "RETURN",
    "REFUND",
    "REFUND_RETURN",
    "ADJUSTMENT",
    "FEE",
]


class LedgerEntry(TypedDict):
    """One movement of money; an entry never changes."""

    id: str
    type: LedgerEntryType
    """FEE: charges of a bank beside a payment or a refund. ADJUSTMENT: a correction. The guide of
    reconciliation explains each type.
    """
    amount: Decimal
    """Above zero: money came in. Below zero: it went out."""
    currency: str
    """ISO 4217."""
    paymentRequestId: str | None
    """null: the money is assigned to no payment request."""
    refundId: str | None
    """The refund that moved the money."""
    networkReference: str | None
    """The network’s name of the movement."""
    bankReference: str | None
    """The bank’s own reference of the booking."""
    bookingDate: str | None
    """The day on which a bank booked it; null: no bank did."""
    createdDateTime: str
    """When the service learned of the movement."""


class ReconciliationReportOtherCurrencies(TypedDict):
    currency: str
    """ISO 4217."""
    openingSum: Decimal
    closingSum: Decimal


ReconciliationReportTotalsType = Literal[
    "PAYMENT",
    "LATE_PAYMENT",
    "PART_PAYMENT",
    "SECOND_PAYMENT",
    "UNMATCHED",
    "ASSIGNED",
    "RETURN",
    "REFUND",
    "REFUND_RETURN",
    "ADJUSTMENT",
    "FEE",
]


class ReconciliationReportTotals(TypedDict):
    type: ReconciliationReportTotalsType
    currency: str
    """ISO 4217."""
    count: int
    amount: Decimal


class PaidWithoutMoney(TypedDict):
    paymentRequestId: str
    amount: Decimal
    """The amount asked for."""
    currency: str
    """ISO 4217."""
    networkReference: str | None
    completedDateTime: str


class ReconciliationReportPaidWithoutMoney(TypedDict):
    """Payment requests that became PAID on the day and have no money in the ledger."""

    count: int
    """How many there are."""
    data: list[PaidWithoutMoney]
    """At most 1,000 of them."""
    hasMore: bool
    """Whether there are more than data holds."""


class ReconciliationReportMoneyWithoutPaymentRequest(TypedDict):
    """The day’s entries that name no payment request."""

    count: int
    """How many there are."""
    data: list[LedgerEntry]
    """At most 1,000 of them."""
    hasMore: bool
    """Whether there are more than data holds."""


class ReconciliationReportSince(TypedDict):
    """With the parameter since: the entries after that cursor, of all days."""

    data: list[LedgerEntry]
    """At most 1,000, oldest first."""
    hasMore: bool
    """Whether nextCursor leads to more."""


class ReconciliationReport(TypedDict):
    date: str
    timeZone: str
    """The day of entries without a booking date."""
    currency: str
    """The deployment’s currency, ISO 4217."""
    openingSum: Decimal
    """The sum of all entries of earlier days, in the deployment’s currency."""
    closingSum: Decimal
    """The sum with the entries of the day: the next day’s openingSum."""
    otherCurrencies: list[ReconciliationReportOtherCurrencies]
    """The sums of money in other currencies, which waits for an operator."""
    totals: list[ReconciliationReportTotals]
    """The day’s entries by type."""
    paidWithoutMoney: ReconciliationReportPaidWithoutMoney
    """Payment requests that became PAID on the day and have no money in the ledger."""
    moneyWithoutPaymentRequest: ReconciliationReportMoneyWithoutPaymentRequest
    """The day’s entries that name no payment request."""
    since: NotRequired[ReconciliationReportSince]
    """With the parameter since: the entries after that cursor, of all days."""
    nextCursor: str
    """The since of the next report."""


SimulateRefundBodyReason = Literal[
    "AUTHENTICATION_FAILED",
    "INSTITUTION_UNAVAILABLE",
    "PAYER_DECLINED",
    "ACCOUNT_RESTRICTED",
    "INSUFFICIENT_FUNDS",
    "SUSPECTED_FRAUD",
    "AMOUNT_LIMIT_EXCEEDED",
    "NETWORK_REJECTED",
    "NETWORK_TIMEOUT",
    "PAYER_ACCOUNT_UNKNOWN",
]


class SimulateRefundBody(TypedDict):
    outcome: Literal["COMPLETED", "FAILED", "RETURNED"]
    """COMPLETED, FAILED, or RETURNED: the money comes back, and the refund is FAILED."""
    reason: NotRequired[SimulateRefundBodyReason]
    """Why it failed, with FAILED only; NETWORK_REJECTED when left out."""


class AdvancePaymentRequestBody(TypedDict):
    seconds: int
    """By how much the due instants are brought forward."""


AdvanceWillRunType = Literal[
    "EXPIRY",
    "SIMULATOR_STEP",
    "REFUND_STEP",
    "MESSAGE",
    "WEBHOOK_ATTEMPT",
]


class AdvanceWillRun(TypedDict):
    type: AdvanceWillRunType
    id: str
    """The payment request, refund, message or delivery."""
    dueDateTime: str
    """Its instant until now."""


class Advance(TypedDict):
    paymentRequestId: str
    sandboxAdvancedSeconds: int
    """The sum that the payment request shows once all of it is over."""
    willRun: list[AdvanceWillRun]
    """What falls due, in order. More attempts follow the listener’s answers."""


SimulateOutcomeBodyOutcome = Literal[
    "PAID",
    "FAILED",
    "EXPIRED",
    "PROCESSING",
    "RETURNED",
    "PART_PAYMENT",
    "SECOND_PAYMENT",
]


SimulateOutcomeBodyReason = Literal[
    "PAYER_DECLINED",
    "AUTHENTICATION_FAILED",
    "INSUFFICIENT_FUNDS",
    "ACCOUNT_RESTRICTED",
    "AMOUNT_LIMIT_EXCEEDED",
    "SUSPECTED_FRAUD",
    "INSTITUTION_UNAVAILABLE",
    "NETWORK_REJECTED",
    "NETWORK_TIMEOUT",
]


class SimulateOutcomeBody(TypedDict):
    outcome: SimulateOutcomeBodyOutcome
    """The status that the payment request is to get, or the money that is to move: RETURNED,
    PART_PAYMENT or SECOND_PAYMENT.
    """
    reason: NotRequired[SimulateOutcomeBodyReason]
    """Why it failed, with FAILED only; PAYER_DECLINED when left out."""


CreateWebhookEndpointBodyEventTypes = Literal[
    "PAYMENT-COMPLETED",
    "PAYMENT-FAILED",
    "PAYMENT-RETURNED",
    "REFUND-COMPLETED",
    "REFUND-FAILED",
    "MESSAGE-UNDELIVERED",
    "*",
]


class CreateWebhookEndpointBody(TypedDict):
    url: str
    """The HTTPS address for events; it must be publicly reachable. In production the operator must
    have registered its origin for the merchant.
    """
    eventTypes: NotRequired[list[CreateWebhookEndpointBodyEventTypes]]
    """
    Only these events; left out: PAYMENT-COMPLETED and PAYMENT-FAILED. ["*"]: all, also those that
    later versions add.
    """
    description: NotRequired[str]
    """Your own note."""
    username: NotRequired[str]
    """The username for calls of the listener (HTTP Basic); created when absent."""
    password: NotRequired[str]
    """The password for it; made when left out, and answered then."""


WebhookEndpointEventTypes = Literal[
    "PAYMENT-COMPLETED",
    "PAYMENT-FAILED",
    "PAYMENT-RETURNED",
    "REFUND-COMPLETED",
    "REFUND-FAILED",
    "MESSAGE-UNDELIVERED",
    "*",
]


class WebhookEndpointStatusReason(TypedDict):
    """Why it is PAUSED."""

    code: Literal["PAUSED_BY_MERCHANT", "GONE", "FAILING"]
    message: str


class WebhookEndpoint(TypedDict):
    id: str
    url: str
    eventTypes: NotRequired[list[WebhookEndpointEventTypes]]
    """
    Only these events; left out: PAYMENT-COMPLETED and PAYMENT-FAILED. ["*"]: all, also those that
    later versions add.
    """
    description: NotRequired[str]
    status: Literal["ACTIVE", "PAUSED"]
    statusReason: NotRequired[WebhookEndpointStatusReason]
    """Why it is PAUSED."""
    username: str
    """The username for calls of the listener (HTTP Basic)."""
    password: NotRequired[str]
    """Only in the answer of the call that made or took it."""
    signingSecret: str
    """Whole only when it is new (whsec_…); else its beginning and an ellipsis."""
    previousSecretExpiryDateTime: NotRequired[str]
    """Until then the secret before this one signs as well."""
    createdDateTime: str


UpdateWebhookEndpointBodyEventTypes = Literal[
    "PAYMENT-COMPLETED",
    "PAYMENT-FAILED",
    "PAYMENT-RETURNED",
    "REFUND-COMPLETED",
    "REFUND-FAILED",
    "MESSAGE-UNDELIVERED",
    "*",
]


class UpdateWebhookEndpointBody(TypedDict):
    url: NotRequired[str]
    """The HTTPS address for events; it must be publicly reachable. In production the operator must
    have registered its origin for the merchant.
    """
    eventTypes: NotRequired[list[UpdateWebhookEndpointBodyEventTypes] | None]
    """Only these events; ["*"]: all; null: PAYMENT-COMPLETED and PAYMENT-FAILED."""
    description: NotRequired[str | None]
    """Your own note; null takes it away."""
    username: NotRequired[str | None]
    """The username for the listener from now on; null creates a new one."""
    password: NotRequired[str | None]
    """The password from now on; null creates a new one, which is answered."""
    status: NotRequired[Literal["ACTIVE", "PAUSED"]]
    """PAUSED holds what the endpoint is owed; ACTIVE lets it flow again."""


WebhookDeliveryEventType = Literal[
    "PAYMENT-COMPLETED",
    "PAYMENT-FAILED",
    "PAYMENT-RETURNED",
    "REFUND-COMPLETED",
    "REFUND-FAILED",
    "MESSAGE-UNDELIVERED",
]


WebhookDeliveryStatusReasonCode = Literal[
    "ATTEMPTS_EXHAUSTED",
    "ENDPOINT_DELETED",
    "RETENTION_ENDED",
    "LISTENER_FAILING",
]


class WebhookDeliveryStatusReason(TypedDict):
    """Why it is EXHAUSTED."""

    code: WebhookDeliveryStatusReasonCode
    message: str


class WebhookDelivery(TypedDict):
    id: str
    eventId: str
    """The webhook-id of every attempt."""
    eventType: WebhookDeliveryEventType
    test: NotRequired[Literal[True]]
    """A test of the endpoint, no event."""
    paymentRequestId: str
    """The nil UUID for a test."""
    endpointId: str | None
    """null: the payment request’s own webhookUrl."""
    url: str
    """The URL of the delivery; after its end, the URL of its last attempt."""
    status: Literal["PENDING", "SUCCEEDED", "EXHAUSTED"]
    statusReason: NotRequired[WebhookDeliveryStatusReason]
    """Why it is EXHAUSTED."""
    attempts: int
    """How many were made."""
    nextAttemptDateTime: str | None
    """null when it is over. What a paused endpoint is owed is held beyond it."""
    createdDateTime: str
    completedDateTime: NotRequired[str]


ReplayWebhooksBody = TypedDict(
    "ReplayWebhooksBody",
    {
        "from": Instant,
        "to": NotRequired[Instant],
        "only": NotRequired[Literal["failed", "all"]],
    },
)


class WebhookReplayProgress(TypedDict):
    examinedTo: str
    """How far it has looked, by the time of the events."""
    examined: int
    """Events looked at."""
    queued: int
    """Events to be sent again."""
    pending: int
    """Queued events that are neither delivered nor exhausted."""


WebhookReplay = TypedDict(
    "WebhookReplay",
    {
        "id": str,
        "endpointId": str,
        "from": str,
        "to": str,
        "only": Literal["failed", "all"],
        "status": Literal["RUNNING", "COMPLETED", "CANCELLED"],
        "progress": WebhookReplayProgress,
        "createdDateTime": str,
        "completedDateTime": NotRequired[str],
    },
)


class RotateWebhookSecretBody(TypedDict):
    overlapHours: NotRequired[int]
    """How long the older secret signs beside the new one; 0 ends it at once."""
    force: NotRequired[bool]
    """Rotate during an overlap too: the oldest secret then signs no more."""


WebhookDeliveryWithAttemptsEventType = Literal[
    "PAYMENT-COMPLETED",
    "PAYMENT-FAILED",
    "PAYMENT-RETURNED",
    "REFUND-COMPLETED",
    "REFUND-FAILED",
    "MESSAGE-UNDELIVERED",
]


WebhookDeliveryWithAttemptsStatusReasonCode = Literal[
    "ATTEMPTS_EXHAUSTED",
    "ENDPOINT_DELETED",
    "RETENTION_ENDED",
    "LISTENER_FAILING",
]


class WebhookDeliveryWithAttemptsStatusReason(TypedDict):
    """Why it is EXHAUSTED."""

    code: WebhookDeliveryWithAttemptsStatusReasonCode
    message: str


WebhookAttemptOutcome = Literal[
    "SUCCEEDED",
    "REDIRECTED",
    "GONE",
    "REFUSED_BY_LISTENER",
    "TIMED_OUT",
    "CONNECT_TIMED_OUT",
    "NAME_TIMED_OUT",
    "NAME_NOT_RESOLVED",
    "FORBIDDEN_URL",
    "FORBIDDEN_ADDRESS",
    "CONNECTION_REFUSED",
    "UNREACHABLE",
    "CONNECTION_LOST",
    "CERTIFICATE_INVALID",
    "TLS_FAILED",
    "MALFORMED_ANSWER",
    "ANSWER_TOO_EARLY",
    "ANSWER_TOO_LARGE",
    "UNKNOWN_FAILURE",
]


class WebhookAttempt(TypedDict):
    attempt: int
    startedDateTime: str
    durationMs: int
    """The whole exchange."""
    outcome: WebhookAttemptOutcome
    message: str
    """The outcome in words."""
    httpStatus: NotRequired[int]
    responseBody: NotRequired[str]
    """The beginning of the answer, at most 1 KiB."""
    dnsMs: NotRequired[int]
    """Resolving the name; absent on a connection that was kept; in milliseconds."""
    connectMs: NotRequired[int]
    """Connecting; in milliseconds."""
    tlsMs: NotRequired[int]
    """Agreeing on TLS; in milliseconds."""
    firstByteMs: NotRequired[int]
    """The time from the start to the head of the answer; in milliseconds."""
    sandboxAdvanced: NotRequired[Literal[True]]
    """A call of the sandbox brought it forward."""


class WebhookDeliveryWithAttempts(TypedDict):
    id: str
    eventId: str
    """The webhook-id of every attempt."""
    eventType: WebhookDeliveryWithAttemptsEventType
    test: NotRequired[Literal[True]]
    """A test of the endpoint, no event."""
    paymentRequestId: str
    """The nil UUID for a test."""
    endpointId: str | None
    """null: the payment request’s own webhookUrl."""
    url: str
    """The URL of the delivery; after its end, the URL of its last attempt."""
    status: Literal["PENDING", "SUCCEEDED", "EXHAUSTED"]
    statusReason: NotRequired[WebhookDeliveryWithAttemptsStatusReason]
    """Why it is EXHAUSTED."""
    attempts: int
    """How many were made."""
    nextAttemptDateTime: str | None
    """null when it is over. What a paused endpoint is owed is held beyond it."""
    createdDateTime: str
    completedDateTime: NotRequired[str]
    attemptLog: list[WebhookAttempt]
    """The latest 100 attempts of the last 90 days, oldest first."""


ReadEventsEventTypes = Literal[
    "PAYMENT-COMPLETED",
    "PAYMENT-FAILED",
    "PAYMENT-RETURNED",
    "REFUND-COMPLETED",
    "REFUND-FAILED",
    "MESSAGE-UNDELIVERED",
    "*",
]


EventEventType = Literal[
    "PAYMENT-COMPLETED",
    "PAYMENT-FAILED",
    "PAYMENT-RETURNED",
    "MESSAGE-UNDELIVERED",
]


class Event(TypedDict):
    """A webhook’s body, byte for byte."""

    eventType: EventEventType
    message: str
    """The event in words, for people."""
    resourceType: Literal["Payment Requests API"]
    resource: PaymentRequest
    id: str
    """The value of webhook-id."""
    createdDateTime: str
    sequence: int
    """Counts the events of one payment request, of every type, from 1."""


class RefundEvent(TypedDict):
    """A webhook’s body, byte for byte."""

    eventType: Literal["REFUND-COMPLETED", "REFUND-FAILED"]
    message: str
    """The event in words, for people."""
    resourceType: Literal["Payments API"]
    resource: Refund
    id: str
    """The value of webhook-id."""
    createdDateTime: str
    sequence: int
    """Counts the events of one payment request, of every type, from 1."""


__all__ = [
    "Advance",
    "AdvancePaymentRequestBody",
    "AdvanceWillRun",
    "AdvanceWillRunType",
    "Amount",
    "CancelPaymentRequestBody",
    "CancelPaymentRequestBodyReason",
    "CreatePaymentRequestBody",
    "CreatePaymentRequestBodyDelivery",
    "CreatePaymentRequestBodyEmailTemplate",
    "CreatePaymentRequestBodyMerchant",
    "CreatePaymentRequestBodyPayer",
    "CreateRefundBody",
    "CreateRefundBodyReason",
    "CreateWebhookEndpointBody",
    "CreateWebhookEndpointBodyEventTypes",
    "Day",
    "Event",
    "EventEventType",
    "Instant",
    "LedgerEntry",
    "LedgerEntryType",
    "Link",
    "LinkMessage",
    "ListLedgerEntriesType",
    "ListPaymentRequestsStatus",
    "ListRefundsStatus",
    "Message",
    "MessageAttemptLog",
    "MessageChannel",
    "MessageKind",
    "MessagePreview",
    "MessageStatus",
    "NewMessage",
    "PaidWithoutMoney",
    "Payment",
    "PaymentRequest",
    "PaymentRequestDelivery",
    "PaymentRequestEmailTemplate",
    "PaymentRequestEvents",
    "PaymentRequestMerchant",
    "PaymentRequestPayer",
    "ReadEventsEventTypes",
    "ReconciliationReport",
    "ReconciliationReportMoneyWithoutPaymentRequest",
    "ReconciliationReportOtherCurrencies",
    "ReconciliationReportPaidWithoutMoney",
    "ReconciliationReportSince",
    "ReconciliationReportTotals",
    "ReconciliationReportTotalsType",
    "Refund",
    "RefundEvent",
    "RefundEvents",
    "RefundPayment",
    "RefundReason",
    "RefundStatus",
    "RefundStatusReason",
    "RefundStatusReasonCode",
    "RefundSummary",
    "ReplayWebhooksBody",
    "RotateWebhookSecretBody",
    "SimulateOutcomeBody",
    "SimulateOutcomeBodyOutcome",
    "SimulateOutcomeBodyReason",
    "SimulateRefundBody",
    "SimulateRefundBodyReason",
    "Status",
    "StatusReason",
    "StatusReasonCode",
    "TimelineEntry",
    "TimelineEntryCancellationRequested",
    "TimelineEntryCancellationRequestedReason",
    "TimelineEntryCaseSettled",
    "TimelineEntryCaseSettledKind",
    "TimelineEntryCaseSettledSettlement",
    "TimelineEntryLinkOpened",
    "TimelineEntryMessageChanged",
    "TimelineEntryMoneyReturned",
    "TimelineEntryPartReceived",
    "TimelineEntryPayerStep",
    "TimelineEntryRefundChanged",
    "TimelineEntryRefundChangedStatus",
    "TimelineEntrySandboxNote",
    "TimelineEntryStatusChanged",
    "TimelineEntryStatusChangedCause",
    "TimelineEntryUpdated",
    "TimelineEntryWebhookAttempted",
    "TimelineEntryWebhookAttemptedEventType",
    "TimelineEntryWebhookAttemptedOutcome",
    "UpdatePaymentRequestBody",
    "UpdatePaymentRequestBodyDelivery",
    "UpdatePaymentRequestBodyPayer",
    "UpdateWebhookEndpointBody",
    "UpdateWebhookEndpointBodyEventTypes",
    "WebhookAttempt",
    "WebhookAttemptOutcome",
    "WebhookDelivery",
    "WebhookDeliveryEventType",
    "WebhookDeliveryStatusReason",
    "WebhookDeliveryStatusReasonCode",
    "WebhookDeliveryWithAttempts",
    "WebhookDeliveryWithAttemptsEventType",
    "WebhookDeliveryWithAttemptsStatusReason",
    "WebhookDeliveryWithAttemptsStatusReasonCode",
    "WebhookEndpoint",
    "WebhookEndpointEventTypes",
    "WebhookEndpointStatusReason",
    "WebhookReplay",
    "WebhookReplayProgress",
]
