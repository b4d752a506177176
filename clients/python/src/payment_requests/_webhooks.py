"""Webhooks: their verification, and webhooks for the tests of a listener."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Literal, Union, cast

from ._calls import basic_credentials
from ._errors import InvalidArgumentError, PaymentRequestsError
from ._json import read_json, write_json
from .models import Event, RefundEvent
from ._webhook_examples import EXAMPLES

WebhookEvent = Union[Event, RefundEvent]
"""The body of a webhook, and an entry of the feed; `eventType` tells the kinds apart.

A later version of the service may add a type: answer 2xx to it, and release nothing.
"""

WebhookFault = Literal[
    "CREDENTIALS_MISSING",
    "CREDENTIALS_WRONG",
    "SIGNATURE_MISSING",
    "SIGNATURE_WRONG",
    "TIMESTAMP_OUT_OF_TOLERANCE",
    "BODY_INVALID",
]

# A forged header must not cause much work; a rotation needs two.
_MOST_SIGNATURES = 8
# An attacker can guess a key below 128 bits (RFC 2104, 3); the service's keys have 256.
_LEAST_KEY_BYTES = 16


class WebhookVerificationError(PaymentRequestsError):
    """The webhook is forged or incomplete. Answer 401 and release nothing."""

    def __init__(self, code: WebhookFault, message: str) -> None:
        super().__init__(code, message)


@dataclass(frozen=True)
class ListenerCredentials:
    """The credentials by which a listener verifies the service."""

    username: str
    password: str
    signing_secret: str | Sequence[str]
    """`whsec_…`; both secrets during a rotation."""

    def __repr__(self) -> str:
        return f"ListenerCredentials(username={self.username!r})"


def verify_webhook(
    headers: Mapping[str, str],
    body: bytes | str,
    credentials: ListenerCredentials,
    *,
    tolerance_seconds: float = 300,
    now: datetime | None = None,
) -> WebhookEvent:
    """Verifies the Basic credentials and the signature (Standard Webhooks), and reads the event.

    `body` is the body as it arrived, before any parsing. A repeat carries the id of the first
    webhook: store the ids of handled events, and answer 2xx to a repeat as well.

    Raises WebhookVerificationError for a webhook that the service did not send, and
    InvalidArgumentError for a parsed body, or a signing secret with a key below 16 bytes.
    """
    if not isinstance(body, (bytes, bytearray, str)):
        raise InvalidArgumentError("Give the body as it arrived, before any parsing.")
    received = body.encode() if isinstance(body, str) else bytes(body)
    found = {
        name.lower(): value for name, value in headers.items() if name.lower() in _VERIFIED_HEADERS
    }
    _verify_credentials(found.get("authorization"), credentials)
    id = found.get("webhook-id")
    timestamp = found.get("webhook-timestamp")
    signatures = found.get("webhook-signature")
    if not id or not timestamp or not signatures:
        raise WebhookVerificationError("SIGNATURE_MISSING", "A webhook header is missing.")
    given = signatures.split(" ")[:_MOST_SIGNATURES]
    wanted = [_sign(key, id, timestamp, received) for key in _keys(credentials)]
    # Each signature is compared with each secret's, so that the time shows none of them.
    if not any([_are_equal(one, other) for one in given for other in wanted]):
        raise WebhookVerificationError("SIGNATURE_WRONG", "No signature fits the body.")
    at = float(timestamp) if re.fullmatch(r"[0-9]{1,12}", timestamp) else float("nan")
    moment = (now or datetime.now(timezone.utc)).timestamp()
    if not abs(moment - at) <= tolerance_seconds:
        raise WebhookVerificationError(
            "TIMESTAMP_OUT_OF_TOLERANCE",
            "The webhook was signed too long ago, or for a time to come.",
        )
    return _read_event(received, id)


_VERIFIED_HEADERS = ("authorization", "webhook-id", "webhook-timestamp", "webhook-signature")


def _verify_credentials(authorization: str | None, credentials: ListenerCredentials) -> None:
    if not authorization:
        raise WebhookVerificationError("CREDENTIALS_MISSING", "There are no Basic credentials.")
    # The scheme's name is case-insensitive (RFC 9110, 11.1).
    shown = re.sub(r"^basic +", "Basic ", authorization, flags=re.IGNORECASE)
    wanted = basic_credentials(credentials.username, credentials.password)
    if not _are_equal(shown, wanted):
        raise WebhookVerificationError("CREDENTIALS_WRONG", "The Basic credentials are wrong.")


def _are_equal(one: str, other: str) -> bool:
    """Compares in a time that reveals nothing about the content."""
    return hmac.compare_digest(
        one.encode("utf-8", "surrogateescape"), other.encode("utf-8", "surrogateescape")
    )


def _keys(credentials: ListenerCredentials) -> list[bytes]:
    secret = credentials.signing_secret
    return [_read_key(each) for each in ([secret] if isinstance(secret, str) else secret)]


def _read_key(signing_secret: str) -> bytes:
    try:
        key = base64.b64decode(signing_secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidArgumentError("The signing secret is whsec_ and a key in base64.") from error
    if len(key) < _LEAST_KEY_BYTES:
        raise InvalidArgumentError(
            f"The signing secret has a key of fewer than {_LEAST_KEY_BYTES} bytes."
        )
    return key


def _sign(key: bytes, id: str, timestamp: str, body: bytes) -> str:
    """Signs by Standard Webhooks 1.0: HMAC-SHA-256 over `id.timestamp.body`."""
    head = f"{id}.{timestamp}.".encode("utf-8", "surrogateescape")
    return "v1," + base64.b64encode(hmac.digest(key, head + body, hashlib.sha256)).decode()


def _read_event(body: bytes, id: str) -> WebhookEvent:
    event = read_json(body)
    if isinstance(event, dict) and event.get("id") == id:
        resource = event.get("resource")
        if isinstance(resource, dict) and isinstance(resource.get("status"), str):
            return cast(WebhookEvent, event)
    raise WebhookVerificationError("BODY_INVALID", "The body is not a webhook event.")


@dataclass(frozen=True)
class TestWebhook:
    """A webhook for the tests of your listener: send it by POST."""

    # Test runners must not take the class for a test.
    __test__ = False

    headers: dict[str, str]
    body: bytes


def make_test_webhook(
    credentials: ListenerCredentials,
    resource: Mapping[str, Any] | None = None,
    *,
    event_type: str = "PAYMENT-COMPLETED",
    id: str | None = None,
    sequence: int = 1,
    now: datetime | None = None,
) -> TestWebhook:
    """Makes a webhook in the form of the service's webhooks: signed and with Basic credentials.

    `resource` replaces members of the example of the API's document. The body does not survive
    parsing and writing byte for byte: slashes and letters beyond ASCII are escaped. A listener that
    verifies a copy that it wrote again refuses this webhook, and would refuse real payments.
    """
    example = read_json(EXAMPLES.get(event_type, "").encode())
    if example is None:
        known = ", ".join(EXAMPLES)
        raise InvalidArgumentError(f"event_type is one of {known}.")
    moment = (now or datetime.now(timezone.utc)).astimezone(timezone.utc)
    event_id = id or str(uuid.uuid4())
    event = {
        **example,
        "resource": {**example["resource"], **(resource or {})},
        "id": event_id,
        "createdDateTime": moment,
        "sequence": sequence,
    }
    body = write_json(event).replace("/", "\\/").encode()
    timestamp = str(int(moment.timestamp()))
    signatures = [_sign(key, event_id, timestamp, body) for key in _keys(credentials)]
    headers = {
        "content-type": "application/json",
        "authorization": basic_credentials(credentials.username, credentials.password),
        "webhook-id": event_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": " ".join(signatures),
    }
    return TestWebhook(headers, body)
