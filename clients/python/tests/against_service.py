"""The client at a real service, which service/test/clients/python-client.test.ts starts."""

from __future__ import annotations

import json
import os
import re
import time
import unittest
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

from payment_requests import (
    AccessTokenError,
    Client,
    InvalidArgumentError,
    ListenerCredentials,
    NoAnswerError,
    ProblemError,
    WebhookVerificationError,
    answer_of,
    entity_tag_of,
    verify_webhook,
)

GIVEN: dict[str, Any] = json.loads(os.environ["GIVEN"])
OPTIONS: dict[str, Any] = GIVEN["options"]
NEW: Any = {"amount": "25.50", "payer": {"name": "Zoë", "email": "zoe@example.com"}}
README = Path(__file__).parents[1] / "README.md"
# No good run waits for it; the whole program has a minute.
PATIENCE_SECONDS = 45


class QuickClock:
    """The service's clock moves faster than this machine's: pauses are short."""

    def now(self) -> float:
        return time.time()

    def sleep(self, seconds: float) -> None:
        time.sleep(min(seconds, 0.05))


def client_with(**options: Any) -> Client:
    given: dict[str, Any] = {**OPTIONS, "clock": QuickClock(), **options}
    return Client(**given)


class Service(unittest.TestCase):
    client: Client

    @classmethod
    def setUpClass(cls) -> None:
        cls.client = client_with()

    def code_of(self, call: Any) -> str:
        with self.assertRaises(ProblemError) as raised:
            call()
        self.assertIsNotNone(raised.exception.request_id)
        return raised.exception.code

    def test_creates_once_under_a_key_and_reads(self) -> None:
        body: Any = {**NEW, "displayMessage": "Crème brûlée", "metadata": {"row": "7"}}
        created = self.client.create_payment_request(body, idempotency_key="order-1")
        again = self.client.create_payment_request(body, idempotency_key="order-1")
        read = self.client.get_payment_request(created["id"])
        self.assertEqual(created["id"], again["id"])
        answered = answer_of(again)
        self.assertTrue(answered and answered.is_replayed)
        self.assertEqual(repr(read["amount"]), "Decimal('25.50')")
        self.assertEqual(read.get("displayMessage"), "Crème brûlée")
        tag = entity_tag_of(read) or ""
        self.assertIsNone(self.client.get_payment_request(read["id"], if_none_match=tag))
        changes: Any = {"metadata": {"row": None}}
        changed = self.client.update_payment_request(read["id"], changes, if_match=tag)
        self.assertEqual(changed.get("metadata"), {})
        self.assertEqual(
            self.code_of(
                lambda: self.client.update_payment_request(read["id"], changes, if_match=tag)
            ),
            "VERSION_MISMATCH",
        )
        cancelled = self.client.cancel_payment_request(read["id"])
        self.assertEqual(cancelled["status"], "CANCELLED")
        times = [entry["type"] for entry in self.client.read_timeline(read["id"], page_size=2)]
        self.assertEqual((times[0], len(times) >= 3), ("STATUS_CHANGED", True))

    def test_lists_page_by_page_and_as_csv(self) -> None:
        listed: Any = {**NEW, "invoiceNumber": "list"}
        made = {
            self.client.create_payment_request(listed)["id"] for _ in range(5)
        }
        pages = list(self.client.list_payment_requests(invoice_number="list", page_size=2).pages())
        self.assertEqual([len(page.items) for page in pages], [2, 2, 1])
        self.assertEqual({each["id"] for page in pages for each in page.items}, made)
        rest = self.client.list_payment_requests(
            invoice_number="list", page_size=2, cursor=pages[0].next_cursor
        )
        behind = [each["id"] for page in pages[1:] for each in page.items]
        self.assertEqual([each["id"] for each in rest], behind)
        with self.client.export_payment_requests(invoice_number="list") as export:
            text = b"".join(export).decode()
        self.assertRegex(export.file_name, r"^payment-requests-\w+\.csv$")
        self.assertTrue(all(id in text for id in made))

    def test_says_what_is_wrong(self) -> None:
        misspelt: Any = {**NEW, "mesage": "Order"}
        with self.assertRaises(ProblemError) as raised:
            self.client.create_payment_request(misspelt)
        [fault] = raised.exception.errors
        self.assertEqual((fault.field, fault.code), ("mesage", "UNKNOWN_FIELD"))
        self.client.create_payment_request(misspelt, strict=False)
        self.assertEqual(
            self.code_of(lambda: self.client.get_payment_request("x")), "PAYMENT_REQUEST_NOT_FOUND"
        )
        wrong = client_with(password="wrong")
        with self.assertRaises(AccessTokenError) as refused:
            wrong.get_payment_request("x")
        self.assertEqual(refused.exception.code, "invalid_client")
        self.assertRaises(InvalidArgumentError, client_with, api_key="a b")

    def test_talks_to_no_peer_that_it_does_not_trust(self) -> None:
        unknown = client_with(ca_file=None, max_retries=0)
        other_name = OPTIONS["auth_url"].replace("localhost", "127.0.0.1")
        misnamed = client_with(auth_url=other_name, max_retries=0)
        for client in (unknown, misnamed):
            with self.assertRaises(NoAnswerError) as raised:
                client.get_payment_request("x")
            self.assertIn("CERTIFICATE_VERIFY_FAILED", repr(raised.exception.__cause__))

    def until(self, is_true: Callable[[], bool]) -> None:
        """Ledger and feed end before the oldest transaction that runs on the whole server."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not is_true():
            self.assertLess(time.monotonic(), end, "it did not come true in time")

    def test_gives_money_back(self) -> None:
        paid = self.client.create_payment_request(NEW)
        self.client.simulate_outcome(paid["id"], {"outcome": "PAID"})
        refund = self.client.create_refund(paid["id"], {"amount": Decimal("4.50")})
        done = self.client.wait_for_refund(refund["id"])
        self.assertEqual((done["status"], str(done["amount"])), ("COMPLETED", "4.50"))
        amounts: list[str] = []

        def is_whole() -> bool:
            entries = self.client.list_ledger_entries(payment_request_id=paid["id"])
            amounts[:] = [str(each["amount"]) for each in entries]
            return len(amounts) == 2

        self.until(is_whole)
        self.assertEqual(amounts, ["25.50", "-4.50"])
        report = self.client.get_reconciliation_report()
        self.assertIsInstance(report["closingSum"], Decimal)

    def test_registers_endpoints_and_follows_events(self) -> None:
        endpoint = self.client.create_webhook_endpoint({"url": GIVEN["listener"]})
        self.assertRegex(endpoint["signingSecret"], "^whsec_.{20}")
        moved = self.client.update_webhook_endpoint(endpoint["id"], {"description": None})
        self.assertEqual(moved["status"], "ACTIVE")
        delivery = self.client.test_webhook_endpoint(endpoint["id"])
        read = self.client.get_webhook_delivery(delivery["id"])
        self.assertEqual(read["endpointId"], endpoint["id"])
        self.client.delete_webhook_endpoint(endpoint["id"])
        self.assertEqual(
            self.code_of(lambda: self.client.delete_webhook_endpoint(endpoint["id"])),
            "WEBHOOK_ENDPOINT_NOT_FOUND",
        )
        paid = self.client.create_payment_request(NEW)
        self.client.simulate_outcome(paid["id"], {"outcome": "PAID"})
        self.until(
            lambda: paid["id"]
            in [
                event["resource"]["id"]
                for event in self.client.read_events()
                if event["eventType"] == "PAYMENT-COMPLETED"
            ]
        )


class Webhooks(unittest.TestCase):
    def test_accept_what_the_service_sends_and_nothing_else(self) -> None:
        for secret in (GIVEN["secret"], [GIVEN["next_secret"], GIVEN["secret"]]):
            credentials = ListenerCredentials(GIVEN["username"], GIVEN["password"], secret)
            for case in GIVEN["cases"]:
                try:
                    verify_webhook(case["headers"], case["body"], credentials)
                    is_genuine = True
                except WebhookVerificationError:
                    is_genuine = False
                self.assertEqual(is_genuine, case["isGenuine"], case["title"])

    def test_accept_the_new_secret_alone_once_it_signs(self) -> None:
        credentials = ListenerCredentials(
            GIVEN["username"], GIVEN["password"], GIVEN["next_secret"]
        )
        [rotated] = [
            case for case in GIVEN["cases"] if " " in case["headers"].get("webhook-signature", "")
        ]
        verify_webhook(rotated["headers"], rotated["body"], credentials)


class Readme(unittest.TestCase):
    def test_has_blocks_that_run(self) -> None:
        blocks = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
        self.assertGreaterEqual(len(blocks), 6)
        code = "\n".join(blocks).replace("https://pay.example.com/v1", OPTIONS["base_url"])
        for old, new in (
            ("https://pay.example.com/oauth2/token", OPTIONS["auth_url"]),
            ("prd_username", OPTIONS["username"]),
            ("prd_password", OPTIONS["password"]),
            ("prd_api_key", OPTIONS["api_key"]),
            ('    api_key=', f'    ca_file={OPTIONS["ca_file"]!r},\n    api_key='),
        ):
            code = code.replace(old, new)
        # A block writes a file.
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(GIVEN["folder"])
        printed: list[tuple[Any, ...]] = []
        names = {"print": lambda *values: printed.append(values)}
        exec(compile(code, str(README), "exec"), names)
        self.assertIn(("nothing happened",), printed)
        self.assertEqual(printed[-2:], [("release", "order-1042"), (204,)])


if __name__ == "__main__":
    unittest.main()
