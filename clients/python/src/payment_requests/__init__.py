"""A typed client for a payment requests service, and the verification of its webhooks.

>>> from payment_requests import Client
"""

from ._amounts import Amount, amount_to_cents, cents_to_amount
from ._answers import CallAnswer, answer_of, entity_tag_of
from ._client import Client
from ._connection import Deadline, HttpRequest, HttpResponse
from ._errors import (
    AccessTokenError,
    FieldFault,
    InvalidArgumentError,
    NoAnswerError,
    PaymentRequestsError,
    ProblemError,
)
from ._lists import CsvExport, Page, PagedList
from ._send import Clock
from ._version import VERSION
from ._webhooks import (
    ListenerCredentials,
    TestWebhook,
    WebhookEvent,
    WebhookFault,
    WebhookVerificationError,
    make_test_webhook,
    verify_webhook,
)

__version__ = VERSION

__all__ = [
    "AccessTokenError",
    "Amount",
    "CallAnswer",
    "Client",
    "Clock",
    "CsvExport",
    "Deadline",
    "FieldFault",
    "HttpRequest",
    "HttpResponse",
    "InvalidArgumentError",
    "ListenerCredentials",
    "NoAnswerError",
    "Page",
    "PagedList",
    "PaymentRequestsError",
    "ProblemError",
    "TestWebhook",
    "WebhookEvent",
    "WebhookFault",
    "WebhookVerificationError",
    "amount_to_cents",
    "answer_of",
    "cents_to_amount",
    "entity_tag_of",
    "make_test_webhook",
    "verify_webhook",
]
