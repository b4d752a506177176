# Made from the OpenAPI document by `npm run docs`; do not edit.
"""Every operation of the API that needs an access token."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, cast, overload

from ._checks import path_segment
from ._lists import CsvExport, PagedList
from ._operation_calls import OperationCalls
from .models import (
    Advance,
    AdvancePaymentRequestBody,
    CancelPaymentRequestBody,
    CreatePaymentRequestBody,
    CreateRefundBody,
    CreateWebhookEndpointBody,
    Event,
    Instant,
    LedgerEntry,
    ListLedgerEntriesType,
    ListPaymentRequestsStatus,
    ListRefundsStatus,
    Message,
    NewMessage,
    PaymentRequest,
    ReadEventsEventTypes,
    ReconciliationReport,
    Refund,
    RefundEvent,
    ReplayWebhooksBody,
    RotateWebhookSecretBody,
    SimulateOutcomeBody,
    SimulateRefundBody,
    TimelineEntry,
    UpdatePaymentRequestBody,
    UpdateWebhookEndpointBody,
    WebhookDelivery,
    WebhookDeliveryWithAttempts,
    WebhookEndpoint,
    WebhookReplay,
)


class Operations(OperationCalls):
    """The operations of the API; their errors are PaymentRequestsErrors.

    Each one takes `timeout_seconds`, the limit of one attempt, and `retries`, 0 to 10. Each POST
    takes `idempotency_key`, 1 to 255 visible ASCII characters: the service does a repeated call
    with an equal key once in 72 hours. The default key covers the client's own retries alone.
    `strict` makes the service refuse unknown fields; it is the default with credentials of the
    sandbox.
    """

    def create_payment_request(
        self,
        body: CreatePaymentRequestBody,
        *,
        idempotency_key: str | None = None,
        strict: bool | None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> PaymentRequest:
        """Create a payment request.

        Asks a payer for an amount. Open the answer’s paymentLink for the payer, and fulfil the
        order only when the webhook, or a read, says PAID. Values are echoed as they were sent; an
        empty text or null in an optional field counts as left out. Amounts are read from the
        number’s own text: 10, 10.0 and 10.00 are the same, 10.005 is refused.

        Raises ProblemError: MERCHANT_MISMATCH, DUPLICATE_MERCHANT_TRANSACTION_ID,
        NO_CREDITOR_ACCOUNT.
        """
        answer = self._post(
            "/payment-requests",
            {"type": "ECOMM", **body},
            (timeout_seconds, retries),
            idempotency_key=idempotency_key,
            strict=strict,
            amounts=("amount",),
        )
        return cast(PaymentRequest, answer)

    def list_payment_requests(
        self,
        *,
        status: Sequence[ListPaymentRequestsStatus] | None = None,
        network_reference: str | None = None,
        merchant_transaction_id: str | None = None,
        invoice_number: str | None = None,
        business_unit: str | None = None,
        short_code: str | None = None,
        payer_email: str | None = None,
        payer_mobile_number: str | None = None,
        created_from: Instant | None = None,
        created_to: Instant | None = None,
        amount_min: str | None = None,
        amount_max: str | None = None,
        page_size: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> PagedList[PaymentRequest]:
        """List payment requests.

        Newest first, narrowed by the filters given. With Accept: text/csv all that match are
        answered as CSV, without pages; a merchant has one such stream at a time.

        - `status`: Only these statuses; repeated or with commas. An expiry that has passed counts
          as EXPIRED.
        - `network_reference`: The networkReference of the payment; only what is paid has one.
        - `merchant_transaction_id`: Your own reference.
        - `invoice_number`: Your invoice number.
        - `business_unit`: Your business unit.
        - `short_code`: The tail of the payment link.
        - `payer_email`: The payer’s e-mail address, in upper or lower case.
        - `payer_mobile_number`: The payer’s mobile number: only its digits are compared.
        - `created_from`: Created at this instant or later.
        - `created_to`: Created before this instant.
        - `amount_min`: This amount or more, as a decimal.
        - `amount_max`: This amount or less, as a decimal.
        - `page_size`: How many a page holds at most.
        - `cursor`: The nextCursor of the page before, with the same filters.

        Raises ProblemError: NOT_ACCEPTABLE.
        """
        query: dict[str, object] = {
            "status": status,
            "networkReference": network_reference,
            "merchantTransactionId": merchant_transaction_id,
            "invoiceNumber": invoice_number,
            "businessUnit": business_unit,
            "shortCode": short_code,
            "payerEmail": payer_email,
            "payerMobileNumber": payer_mobile_number,
            "createdFrom": created_from,
            "createdTo": created_to,
            "amountMin": amount_min,
            "amountMax": amount_max,
            "limit": page_size,
        }
        return self._list("/payment-requests", query, "cursor", cursor, (timeout_seconds, retries))

    def export_payment_requests(
        self,
        *,
        status: Sequence[ListPaymentRequestsStatus] | None = None,
        network_reference: str | None = None,
        merchant_transaction_id: str | None = None,
        invoice_number: str | None = None,
        business_unit: str | None = None,
        short_code: str | None = None,
        payer_email: str | None = None,
        payer_mobile_number: str | None = None,
        created_from: Instant | None = None,
        created_to: Instant | None = None,
        amount_min: str | None = None,
        amount_max: str | None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> CsvExport:
        """List payment requests, as CSV: all that match, without pages.

        A merchant has one export at a time. The client retries until the answer begins.
        """
        query: dict[str, object] = {
            "status": status,
            "networkReference": network_reference,
            "merchantTransactionId": merchant_transaction_id,
            "invoiceNumber": invoice_number,
            "businessUnit": business_unit,
            "shortCode": short_code,
            "payerEmail": payer_email,
            "payerMobileNumber": payer_mobile_number,
            "createdFrom": created_from,
            "createdTo": created_to,
            "amountMin": amount_min,
            "amountMax": amount_max,
        }
        return self._export(
            "/payment-requests",
            query,
            "payment-requests.csv",
            (timeout_seconds, retries),
        )

    @overload
    def get_payment_request(
        self,
        id: str,
        *,
        wait_seconds: int | None = None,
        if_none_match: None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> PaymentRequest: ...

    @overload
    def get_payment_request(
        self,
        id: str,
        *,
        wait_seconds: int | None = None,
        if_none_match: str,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> PaymentRequest | None: ...

    def get_payment_request(
        self,
        id: str,
        *,
        wait_seconds: int | None = None,
        if_none_match: str | None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> PaymentRequest | None:
        """Read a payment request.

        Its current status with all events. With waitSeconds the answer comes as soon as it changes,
        at the latest after so many seconds; with If-None-Match too, 304 says that nothing did.

        - `wait_seconds`: Answer when the payment request changes, or after this many seconds.
        - `if_none_match`: The ETag that you know: 304 says that it is still the current one. The
          answer is then None.
        """
        answer = self._get(
            f"/payment-requests/{path_segment(id)}",
            {"waitSeconds": wait_seconds},
            (timeout_seconds, retries),
            if_none_match=if_none_match,
        )
        return cast("PaymentRequest | None", answer)

    def update_payment_request(
        self,
        id: str,
        body: UpdatePaymentRequestBody,
        *,
        if_match: str | None = None,
        strict: bool | None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> PaymentRequest:
        """Update a payment request.

        A JSON Merge Patch (RFC 7396), only while the payment request is CREATED: null takes a field
        away, metadata is merged key by key. dueDate does not move the expiry.

        Raises ProblemError: ALREADY_PAID, ALREADY_EXPIRED, ALREADY_FAILED, ALREADY_CANCELLED,
        PAYMENT_IN_PROGRESS, VERSION_MISMATCH.
        """
        answer = self._patch(
            f"/payment-requests/{path_segment(id)}",
            {**body},
            (timeout_seconds, retries),
            strict=strict,
            repeatable=if_match is None,
            if_match=if_match,
        )
        return cast(PaymentRequest, answer)

    def send_message(
        self,
        id: str,
        body: NewMessage | None = None,
        *,
        idempotency_key: str | None = None,
        strict: bool | None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> Message:
        """Send the link again.

        Only while the payment request is CREATED, and at most 5 times in 24 hours. A message may
        arrive twice where the connection to the mail server is lost after the data.

        Raises ProblemError: ALREADY_PAID, ALREADY_EXPIRED, ALREADY_FAILED, ALREADY_CANCELLED,
        PAYMENT_IN_PROGRESS, NO_DELIVERY_CHANNEL, MESSAGE_LIMIT_REACHED.
        """
        answer = self._post(
            f"/payment-requests/{path_segment(id)}/messages",
            {**(body or {})},
            (timeout_seconds, retries),
            idempotency_key=idempotency_key,
            strict=strict,
        )
        return cast(Message, answer)

    def list_messages(
        self,
        id: str,
        *,
        page_size: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> PagedList[Message]:
        """List messages.

        Every message about the payment request, newest first: the link, receipts, cancellations.
        The address stands in the payment request only.

        - `page_size`: How many a page holds at most.
        - `cursor`: The nextCursor of the page before, with the same filters.
        """
        query: dict[str, object] = {"limit": page_size}
        return self._list(
            f"/payment-requests/{path_segment(id)}/messages",
            query,
            "cursor",
            cursor,
            (timeout_seconds, retries),
        )

    def read_timeline(
        self,
        id: str,
        *,
        page_size: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> PagedList[TimelineEntry]:
        """Read the timeline of a payment request.

        A list, oldest first: status changes with their cause, openings of the link (the first 20),
        the payer’s steps, cancellations, updates, and each webhook attempt with what the listener
        answered.

        - `page_size`: How many entries a page holds at most.
        - `cursor`: The nextCursor of the page before.
        """
        query: dict[str, object] = {"limit": page_size}
        return self._list(
            f"/payment-requests/{path_segment(id)}/timeline",
            query,
            "cursor",
            cursor,
            (timeout_seconds, retries),
        )

    def cancel_payment_request(
        self,
        id: str,
        body: CancelPaymentRequestBody | None = None,
        *,
        idempotency_key: str | None = None,
        if_match: str | None = None,
        strict: bool | None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> PaymentRequest:
        """Cancel a payment request.

        Only a CREATED payment request can be cancelled. A repeated cancellation is answered with
        200 again and changes nothing. The body may be left out.

        Raises ProblemError: ALREADY_PAID, ALREADY_EXPIRED, ALREADY_FAILED, PAYMENT_IN_PROGRESS,
        VERSION_MISMATCH.
        """
        answer = self._post(
            f"/payment-requests/{path_segment(id)}/cancellation",
            {**(body or {})},
            (timeout_seconds, retries),
            idempotency_key=idempotency_key,
            strict=strict,
            if_match=if_match,
        )
        return cast(PaymentRequest, answer)

    def create_refund(
        self,
        id: str,
        body: CreateRefundBody | None = None,
        *,
        idempotency_key: str | None = None,
        strict: bool | None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> Refund:
        """Refund a payment request.

        Gives money of a PAID payment request back to the payer: an amount, or without one all that
        is available. Give merchantRefundId or Idempotency-Key, so that a repeated call refunds
        once. A repeated merchantRefundId with the same body is answered with 200 and the refund as
        it is now. The payment request stays PAID.

        Raises ProblemError: REFUNDS_DISABLED, NOT_PAID, REFUNDS_NOT_SUPPORTED,
        DUPLICATE_MERCHANT_REFUND_ID, REFUND_LIMIT_REACHED, REFUND_AMOUNT_MISMATCH,
        REFUND_AMOUNT_EXCEEDED.
        """
        answer = self._post(
            f"/payment-requests/{path_segment(id)}/refunds",
            {**(body or {})},
            (timeout_seconds, retries),
            idempotency_key=idempotency_key,
            strict=strict,
            amounts=("amount", "expectedAmountAvailable"),
        )
        return cast(Refund, answer)

    def list_refunds_of_payment_request(
        self,
        id: str,
        *,
        page_size: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> PagedList[Refund]:
        """List the refunds of a payment request.

        All refunds of one payment request, newest first, also those that FAILED.

        - `page_size`: How many a page holds at most.
        - `cursor`: The nextCursor of the page before, with the same filters.
        """
        query: dict[str, object] = {"limit": page_size}
        return self._list(
            f"/payment-requests/{path_segment(id)}/refunds",
            query,
            "cursor",
            cursor,
            (timeout_seconds, retries),
        )

    def list_refunds(
        self,
        *,
        status: Sequence[ListRefundsStatus] | None = None,
        merchant_refund_id: str | None = None,
        payment_request_id: str | None = None,
        created_from: Instant | None = None,
        created_to: Instant | None = None,
        page_size: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> PagedList[Refund]:
        """List refunds.

        Newest first, narrowed by the filters given. With Accept: text/csv all that match are
        answered as CSV, without pages; a merchant has one such stream at a time.

        - `status`: Only these statuses; repeated or with commas.
        - `merchant_refund_id`: Your own id of the refund.
        - `payment_request_id`: Only refunds of this payment request.
        - `created_from`: Created at this instant or later.
        - `created_to`: Created before this instant.
        - `page_size`: How many a page holds at most.
        - `cursor`: The nextCursor of the page before, with the same filters.

        Raises ProblemError: NOT_ACCEPTABLE.
        """
        query: dict[str, object] = {
            "status": status,
            "merchantRefundId": merchant_refund_id,
            "paymentRequestId": payment_request_id,
            "createdFrom": created_from,
            "createdTo": created_to,
            "limit": page_size,
        }
        return self._list("/refunds", query, "cursor", cursor, (timeout_seconds, retries))

    def export_refunds(
        self,
        *,
        status: Sequence[ListRefundsStatus] | None = None,
        merchant_refund_id: str | None = None,
        payment_request_id: str | None = None,
        created_from: Instant | None = None,
        created_to: Instant | None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> CsvExport:
        """List refunds, as CSV: all that match, without pages.

        A merchant has one export at a time. The client retries until the answer begins.
        """
        query: dict[str, object] = {
            "status": status,
            "merchantRefundId": merchant_refund_id,
            "paymentRequestId": payment_request_id,
            "createdFrom": created_from,
            "createdTo": created_to,
        }
        return self._export("/refunds", query, "refunds.csv", (timeout_seconds, retries))

    @overload
    def get_refund(
        self,
        id: str,
        *,
        wait_seconds: int | None = None,
        if_none_match: None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> Refund: ...

    @overload
    def get_refund(
        self,
        id: str,
        *,
        wait_seconds: int | None = None,
        if_none_match: str,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> Refund | None: ...

    def get_refund(
        self,
        id: str,
        *,
        wait_seconds: int | None = None,
        if_none_match: str | None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> Refund | None:
        """Read a refund.

        Its current status with all events. With waitSeconds the answer comes as soon as it changes,
        at the latest after so many seconds; with If-None-Match too, 304 says that nothing did.

        - `wait_seconds`: Answer when the payment request changes, or after this many seconds.
        - `if_none_match`: The ETag that you know: 304 says that it is still the current one. The
          answer is then None.

        Raises ProblemError: REFUND_NOT_FOUND.
        """
        answer = self._get(
            f"/refunds/{path_segment(id)}",
            {"waitSeconds": wait_seconds},
            (timeout_seconds, retries),
            if_none_match=if_none_match,
        )
        return cast("Refund | None", answer)

    def list_ledger_entries(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        type: Sequence[ListLedgerEntriesType] | None = None,
        payment_request_id: str | None = None,
        page_size: int | None = None,
        after: str | None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> PagedList[LedgerEntry]:
        """Follow the ledger.

        Every movement of your money, oldest first. Ask again with nextCursor as after, for ever: no
        entry is left out. With Accept: text/csv all that match are answered as CSV, without pages;
        the cursor of the last row is the next after.

        - `from_`: Entries of this day and later, as in 2026-03-01.
        - `to`: Entries of this day and earlier, as in 2026-03-31.
        - `type`: Only these types; repeated or with commas.
        - `payment_request_id`: The entries of one payment request.
        - `page_size`: How many entries an answer holds at most.
        - `after`: The nextCursor of the answer before; left out: from the oldest entry.

        Raises ProblemError: NOT_ACCEPTABLE.
        """
        query: dict[str, object] = {
            "from": from_,
            "to": to,
            "type": type,
            "paymentRequestId": payment_request_id,
            "limit": page_size,
        }
        return self._list("/ledger-entries", query, "after", after, (timeout_seconds, retries))

    def export_ledger_entries(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        type: Sequence[ListLedgerEntriesType] | None = None,
        payment_request_id: str | None = None,
        after: str | None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> CsvExport:
        """Follow the ledger, as CSV: all that match, without pages.

        A merchant has one export at a time. The client retries until the answer begins.
        """
        query: dict[str, object] = {
            "from": from_,
            "to": to,
            "type": type,
            "paymentRequestId": payment_request_id,
            "after": after,
        }
        return self._export(
            "/ledger-entries",
            query,
            "ledger-entries.csv",
            (timeout_seconds, retries),
        )

    def get_reconciliation_report(
        self,
        *,
        date: str | None = None,
        since: str | None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> ReconciliationReport:
        """Reconcile a day.

        The sums of your ledger before and after a day, its entries by type, payment requests
        without money, and money without a payment request. Entries that come late change the report
        of their day: ask with the nextCursor of the last report as since to see them.

        - `date`: The day of the report, as in 2026-03-01; left out: yesterday.
        - `since`: The nextCursor of an earlier report: the answer then has the entries after it, of
          all days.

        Raises ProblemError: NOT_ACCEPTABLE.
        """
        answer = self._get(
            "/reports/reconciliation",
            {"date": date, "since": since},
            (timeout_seconds, retries),
        )
        return cast(ReconciliationReport, answer)

    def simulate_refund(
        self,
        id: str,
        body: SimulateRefundBody,
        *,
        idempotency_key: str | None = None,
        strict: bool | None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> Refund:
        """Simulate the outcome of a refund.

        Gives a refund of the sandbox an outcome by hand, before or after the one of its message.
        RETURNED is possible after COMPLETED too: the money comes back, and the refund is FAILED.

        Raises ProblemError: REFUND_NOT_FOUND, REFUND_OUTCOME_IMPOSSIBLE.
        """
        answer = self._post(
            f"/sandbox/refunds/{path_segment(id)}/simulations",
            {**body},
            (timeout_seconds, retries),
            idempotency_key=idempotency_key,
            strict=strict,
        )
        return cast(Refund, answer)

    def advance_payment_request(
        self,
        id: str,
        body: AdvancePaymentRequestBody,
        *,
        idempotency_key: str | None = None,
        strict: bool | None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> Advance:
        """Advance the time of a payment request.

        Brings the due instants of a sandbox payment request and its refunds forward: expiry,
        messages, steps of the simulator, and the waits between attempts of its webhooks. What falls
        due runs in order. It is over when sandboxAdvancedSeconds of the payment request has reached
        the sum that is answered.

        Raises ProblemError: ADVANCE_RUNNING.
        """
        answer = self._post(
            f"/sandbox/payment-requests/{path_segment(id)}/advance",
            {**body},
            (timeout_seconds, retries),
            idempotency_key=idempotency_key,
            strict=strict,
        )
        return cast(Advance, answer)

    def simulate_outcome(
        self,
        id: str,
        body: SimulateOutcomeBody,
        *,
        idempotency_key: str | None = None,
        strict: bool | None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> PaymentRequest:
        """Simulate an outcome.

        Gives a sandbox payment request an outcome by hand. PAID is possible after FAILED, EXPIRED
        and CANCELLED too: the money then arrives late. PART_PAYMENT is half of what is missing,
        SECOND_PAYMENT the amount once more, and RETURNED takes all that is there back.

        Raises ProblemError: ALREADY_PAID, ALREADY_EXPIRED, ALREADY_FAILED, ALREADY_CANCELLED,
        PAYMENT_IN_PROGRESS, NOT_PAID.
        """
        answer = self._post(
            f"/sandbox/payment-requests/{path_segment(id)}/simulations",
            {**body},
            (timeout_seconds, retries),
            idempotency_key=idempotency_key,
            strict=strict,
        )
        return cast(PaymentRequest, answer)

    def create_webhook_endpoint(
        self,
        body: CreateWebhookEndpointBody,
        *,
        idempotency_key: str | None = None,
        strict: bool | None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> WebhookEndpoint:
        """Register a webhook endpoint.

        It gets the merchant’s events from now on, beside the payment requests’ own webhookUrl. Keep
        the signingSecret and the password: they are answered this once. At most 20.

        Raises ProblemError: DUPLICATE_WEBHOOK_ENDPOINT, TOO_MANY_WEBHOOK_ENDPOINTS.
        """
        answer = self._post(
            "/webhook-endpoints",
            {**body},
            (timeout_seconds, retries),
            idempotency_key=idempotency_key,
            strict=strict,
        )
        return cast(WebhookEndpoint, answer)

    def list_webhook_endpoints(
        self,
        *,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> PagedList[WebhookEndpoint]:
        """List webhook endpoints.

        All of them on one page, oldest first.
        """
        query: dict[str, object] = {}
        return self._list("/webhook-endpoints", query, "cursor", None, (timeout_seconds, retries))

    def get_webhook_endpoint(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> WebhookEndpoint:
        """Read a webhook endpoint.

        Its URL, status and username; a PAUSED one has a statusReason. Its secrets are not answered
        again: rotate the signing secret, or set a password, to have new ones.

        Raises ProblemError: WEBHOOK_ENDPOINT_NOT_FOUND.
        """
        answer = self._get(f"/webhook-endpoints/{path_segment(id)}", {}, (timeout_seconds, retries))
        return cast(WebhookEndpoint, answer)

    def update_webhook_endpoint(
        self,
        id: str,
        body: UpdateWebhookEndpointBody,
        *,
        strict: bool | None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> WebhookEndpoint:
        """Change a webhook endpoint.

        A JSON Merge Patch (RFC 7396): null for username or password makes a new one. Moving it to
        another origin makes new credentials and a new signing secret, answered this once; what it
        is owed goes to the new URL. Status PAUSED holds what it is owed, ACTIVE resumes.

        Raises ProblemError: WEBHOOK_ENDPOINT_NOT_FOUND, DUPLICATE_WEBHOOK_ENDPOINT.
        """
        answer = self._patch(
            f"/webhook-endpoints/{path_segment(id)}",
            {**body},
            (timeout_seconds, retries),
            strict=strict,
            repeatable="url" not in body,
        )
        return cast(WebhookEndpoint, answer)

    def delete_webhook_endpoint(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> None:
        """Delete a webhook endpoint.

        Nothing more is sent to it, except attempts in progress. Its pending deliveries end as
        EXHAUSTED, and all its deliveries stay readable.

        Raises ProblemError: WEBHOOK_ENDPOINT_NOT_FOUND.
        """
        self._delete(f"/webhook-endpoints/{path_segment(id)}", (timeout_seconds, retries))

    def test_webhook_endpoint(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        strict: bool | None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> WebhookDelivery:
        """Send a test to a webhook endpoint.

        The way of every event, once: a PAYMENT-FAILED with "test": true and a complete payment
        request over 10.00 that does not exist (the nil UUID). Read the delivery to see what the
        listener answered.

        Raises ProblemError: WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_ENDPOINT_PAUSED.
        """
        answer = self._post(
            f"/webhook-endpoints/{path_segment(id)}/test",
            {},
            (timeout_seconds, retries),
            idempotency_key=idempotency_key,
            strict=strict,
        )
        return cast(WebhookDelivery, answer)

    def resume_webhook_endpoint(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        strict: bool | None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> WebhookEndpoint:
        """Resume a webhook endpoint.

        Held events are sent immediately. An ACTIVE endpoint is answered unchanged.

        Raises ProblemError: WEBHOOK_ENDPOINT_NOT_FOUND.
        """
        answer = self._post(
            f"/webhook-endpoints/{path_segment(id)}/resume",
            {},
            (timeout_seconds, retries),
            idempotency_key=idempotency_key,
            strict=strict,
        )
        return cast(WebhookEndpoint, answer)

    def replay_webhooks(
        self,
        id: str,
        body: ReplayWebhooksBody,
        *,
        idempotency_key: str | None = None,
        strict: bool | None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> WebhookReplay:
        """Send a span of time to a webhook endpoint again.

        Starts a job and answers at once. It queues a few at a time, so that events of now do not
        wait behind it, and goes on after a restart. An endpoint has one at a time.

        Raises ProblemError: WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_REPLAY_RUNNING.
        """
        answer = self._post(
            f"/webhook-endpoints/{path_segment(id)}/replay",
            {**body},
            (timeout_seconds, retries),
            idempotency_key=idempotency_key,
            strict=strict,
        )
        return cast(WebhookReplay, answer)

    def rotate_webhook_secret(
        self,
        id: str,
        body: RotateWebhookSecretBody | None = None,
        *,
        idempotency_key: str | None = None,
        strict: bool | None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> WebhookEndpoint:
        """Rotate a signing secret.

        Makes a new one, answered this once. Both sign until the overlap is over (24 hours unless
        told otherwise): the header then has two signatures. The body may be left out. During an
        overlap a second rotation is refused, because it would end the secret that the listener may
        still have; "force": true does it all the same. Send an Idempotency-Key: a call that is sent
        again with it answers the new secret again.

        Raises ProblemError: WEBHOOK_ENDPOINT_NOT_FOUND, SECRET_ROTATION_RUNNING.
        """
        answer = self._post(
            f"/webhook-endpoints/{path_segment(id)}/rotate-secret",
            {**(body or {})},
            (timeout_seconds, retries),
            idempotency_key=idempotency_key,
            strict=strict,
        )
        return cast(WebhookEndpoint, answer)

    def get_webhook_replay(
        self,
        id: str,
        replay_id: str,
        *,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> WebhookReplay:
        """Read the progress of a replay.

        RUNNING until every event of the span is queued again. The job goes on without this call.

        Raises ProblemError: WEBHOOK_REPLAY_NOT_FOUND.
        """
        answer = self._get(
            f"/webhook-endpoints/{path_segment(id)}/replays/{path_segment(replay_id)}",
            {},
            (timeout_seconds, retries),
        )
        return cast(WebhookReplay, answer)

    def list_webhook_deliveries(
        self,
        *,
        payment_request_id: str | None = None,
        endpoint_id: str | None = None,
        status: Sequence[Literal["PENDING", "SUCCEEDED", "EXHAUSTED"]] | None = None,
        page_size: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> PagedList[WebhookDelivery]:
        """List webhook deliveries.

        A delivery for each event and URL, newest first, narrowed by the given filters.

        - `payment_request_id`: Only events of this payment request.
        - `endpoint_id`: Only to this endpoint, also a deleted one.
        - `status`: Only in these statuses; repeated or with commas.
        - `page_size`: How many a page holds at most.
        - `cursor`: The nextCursor of the page before, with the same filters.
        """
        query: dict[str, object] = {
            "paymentRequestId": payment_request_id,
            "endpointId": endpoint_id,
            "status": status,
            "limit": page_size,
        }
        return self._list(
            "/webhook-deliveries",
            query,
            "cursor",
            cursor,
            (timeout_seconds, retries),
        )

    def get_webhook_delivery(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> WebhookDeliveryWithAttempts:
        """Read a webhook delivery.

        With each attempt: when, what the listener answered, and where the time went.

        Raises ProblemError: WEBHOOK_DELIVERY_NOT_FOUND.
        """
        answer = self._get(
            f"/webhook-deliveries/{path_segment(id)}",
            {},
            (timeout_seconds, retries),
        )
        return cast(WebhookDeliveryWithAttempts, answer)

    def redeliver_webhook(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        strict: bool | None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> WebhookDelivery:
        """Send a webhook delivery again.

        In any status, at once: the same webhook-id and the same bytes, and all attempts anew.

        Raises ProblemError: WEBHOOK_DELIVERY_NOT_FOUND, WEBHOOK_ENDPOINT_DELETED, ERASED.
        """
        answer = self._post(
            f"/webhook-deliveries/{path_segment(id)}/redeliver",
            {},
            (timeout_seconds, retries),
            idempotency_key=idempotency_key,
            strict=strict,
        )
        return cast(WebhookDelivery, answer)

    def read_events(
        self,
        *,
        event_types: Sequence[ReadEventsEventTypes] | None = None,
        wait_seconds: int | None = None,
        page_size: int | None = None,
        after: str | None = None,
        timeout_seconds: float | None = None,
        retries: int | None = None,
    ) -> PagedList[Event | RefundEvent]:
        """Follow the events.

        Every event of your payment requests, whether or not it was delivered, oldest first, kept
        for 90 days. Ask again with nextCursor as after, for ever: no event is left out. Events of
        refunds and of returned money are shown where eventTypes asks for them.

        - `event_types`: Only these events, repeated or with commas; left out: PAYMENT-COMPLETED and
          PAYMENT-FAILED; *: all, also those that later versions add. nextCursor is a place among
          the events of all types: with another eventTypes it leads to the events after that place
          only.
        - `wait_seconds`: Waits this long at most for an event, where there is none yet.
        - `page_size`: How many events an answer holds at most.
        - `after`: The nextCursor of the answer before; left out: from the oldest event kept;
          latest: only what happens from now on.
        """
        query: dict[str, object] = {
            "eventTypes": event_types,
            "waitSeconds": wait_seconds,
            "limit": page_size,
        }
        return self._list("/events", query, "after", after, (timeout_seconds, retries))
