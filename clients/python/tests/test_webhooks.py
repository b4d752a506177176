"""The verification of webhooks."""

from __future__ import annotations

import base64
import json
import unittest
from datetime import datetime, timedelta, timezone
from typing import Any

from payment_requests import (
    InvalidArgumentError,
    ListenerCredentials,
    WebhookVerificationError,
    make_test_webhook,
    verify_webhook,
)

SECRET = "whsec_" + base64.b64encode(b"1" * 32).decode()
OTHER = "whsec_" + base64.b64encode(b"2" * 32).decode()
CREDENTIALS = ListenerCredentials("listener", "pässword", SECRET)


class Webhooks(unittest.TestCase):
    def code_of(self, headers: dict[str, str], body: bytes, **how: Any) -> str:
        with self.assertRaises(WebhookVerificationError) as raised:
            verify_webhook(headers, body, CREDENTIALS, **how)
        return raised.exception.code

    def test_are_read_whatever_the_case_of_their_headers(self) -> None:
        made = make_test_webhook(CREDENTIALS, {"merchantTransactionId": "order-1042"})
        headers = {name.title(): value for name, value in made.headers.items()}
        headers["Authorization"] = headers["Authorization"].replace("Basic ", "basic  ")
        bodies: list[Any] = [made.body, made.body.decode(), bytearray(made.body)]
        for body in bodies:
            event = verify_webhook(headers, body, CREDENTIALS)
            self.assertEqual(event["eventType"], "PAYMENT-COMPLETED")
            if event["eventType"] == "PAYMENT-COMPLETED":
                self.assertEqual(event["resource"].get("merchantTransactionId"), "order-1042")
                self.assertEqual(str(event["resource"]["amount"]), "149.95")

    def test_verify_with_either_secret_of_a_rotation(self) -> None:
        for signing, known in (
            ([SECRET, OTHER], SECRET),
            ([SECRET, OTHER], OTHER),
            (SECRET, [OTHER, SECRET]),
        ):
            made = make_test_webhook(ListenerCredentials("a", "b", signing))
            verify_webhook(made.headers, made.body, ListenerCredentials("a", "b", known))

    def test_are_refused_when_a_part_is_missing_or_wrong(self) -> None:
        made = make_test_webhook(CREDENTIALS)
        later = datetime.now(timezone.utc) + timedelta(seconds=301)
        for name, code in (
            ("authorization", "CREDENTIALS_MISSING"),
            ("webhook-id", "SIGNATURE_MISSING"),
            ("webhook-timestamp", "SIGNATURE_MISSING"),
            ("webhook-signature", "SIGNATURE_MISSING"),
        ):
            part = {key: value for key, value in made.headers.items() if key != name}
            self.assertEqual(self.code_of(part, made.body), code)
        for changed, code in (
            ({"authorization": "Basic x"}, "CREDENTIALS_WRONG"),
            ({"authorization": "Basic \udcff"}, "CREDENTIALS_WRONG"),
            ({"webhook-id": "x"}, "SIGNATURE_WRONG"),
            ({"webhook-timestamp": "1"}, "SIGNATURE_WRONG"),
            ({"webhook-signature": "v1,é"}, "SIGNATURE_WRONG"),
        ):
            self.assertEqual(self.code_of({**made.headers, **changed}, made.body), code)
        self.assertEqual(self.code_of(made.headers, made.body + b" "), "SIGNATURE_WRONG")
        rewritten = json.dumps(json.loads(made.body)).encode()
        self.assertEqual(self.code_of(made.headers, rewritten), "SIGNATURE_WRONG")
        self.assertEqual(
            self.code_of(made.headers, made.body, now=later), "TIMESTAMP_OUT_OF_TOLERANCE"
        )
        verify_webhook(made.headers, made.body, CREDENTIALS, now=later, tolerance_seconds=400)

    def test_have_at_most_eight_signatures(self) -> None:
        made = make_test_webhook(CREDENTIALS)
        right = made.headers["webhook-signature"]
        for wrong, is_good in ((7, True), (8, False)):
            many = {**made.headers, "webhook-signature": " ".join(["v1,x"] * wrong + [right])}
            if is_good:
                verify_webhook(many, made.body, CREDENTIALS)
            else:
                self.assertEqual(self.code_of(many, made.body), "SIGNATURE_WRONG")

    def test_need_the_bytes_and_a_secret_that_nobody_guesses(self) -> None:
        made = make_test_webhook(CREDENTIALS)
        parsed: Any = json.loads(made.body)
        self.assertRaises(InvalidArgumentError, verify_webhook, made.headers, parsed, CREDENTIALS)
        for secret in ("", "whsec_", "whsec_c2hvcnQ=", "whsec_$$$"):
            weak = ListenerCredentials("listener", "pässword", secret)
            self.assertRaises(InvalidArgumentError, verify_webhook, made.headers, made.body, weak)

    def test_show_no_secret_of_the_listener(self) -> None:
        self.assertNotIn("pässword", repr(CREDENTIALS))
        self.assertNotIn("whsec_", f"{CREDENTIALS}")

    def test_are_made_for_each_type_of_the_document(self) -> None:
        types = ("PAYMENT-FAILED", "PAYMENT-RETURNED", "REFUND-COMPLETED", "MESSAGE-UNDELIVERED")
        for event_type in types:
            made = make_test_webhook(CREDENTIALS, event_type=event_type)
            event = verify_webhook(made.headers, made.body, CREDENTIALS)
            self.assertEqual(event["eventType"], event_type)
        self.assertRaises(InvalidArgumentError, make_test_webhook, CREDENTIALS, event_type="X")
