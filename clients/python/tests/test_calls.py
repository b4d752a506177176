"""Retries, idempotency keys, options and lists: the behaviour of the SDK for TypeScript."""

from __future__ import annotations

import logging
import unittest
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

from payment_requests import (
    InvalidArgumentError,
    NoAnswerError,
    ProblemError,
    amount_to_cents,
    answer_of,
    cents_to_amount,
    entity_tag_of,
)
from payment_requests._retry import Attempt, read_retry_after, retry_delay_seconds

from .fake_service import FakeService, answer, problem

NEW: Any = {"amount": "25.50", "payer": {"name": "Ada"}}


def new(members: dict[str, Any]) -> Any:
    return {**NEW, **members}


class Delay(unittest.TestCase):
    def delay(self, status: int | None, after: int | None = None, **how: Any) -> float | None:
        rules: dict[str, Any] = {"failed": 1, "repeatable": True, "random": 0, **how}
        code = rules.pop("code", None)
        return retry_delay_seconds(Attempt(status, code, after), **rules)

    def test_follows_a_missing_answer_and_transient_answers_only(self) -> None:
        for status in (None, 429, 500, 502, 503, 504, 520):
            self.assertIsNotNone(self.delay(status), status)
        for status in (200, 201, 301, 304, 400, 401, 403, 404, 409, 412, 422, 501, 505):
            self.assertIsNone(self.delay(status), status)
        self.assertIsNotNone(self.delay(409, 1, code="IDEMPOTENCY_IN_PROGRESS"))
        self.assertIsNone(self.delay(409, code="ALREADY_PAID"))

    def test_grows_by_powers_of_two_up_to_eight_seconds(self) -> None:
        times = (1, 2, 3, 4, 5, 6, 7, 20)
        least = [self.delay(None, failed=failed, random=0) for failed in times]
        most = [self.delay(None, failed=failed, random=1) for failed in times]
        self.assertEqual(least, [0.125, 0.25, 0.5, 1, 2, 4, 4, 4])
        self.assertEqual(most, [0.25, 0.5, 1, 2, 4, 8, 8, 8])

    def test_is_never_shorter_than_retry_after_and_absent_above_30_seconds(self) -> None:
        self.assertEqual(self.delay(429, 7, random=1), 7.25)
        self.assertEqual(self.delay(503, 30, random=0), 30.125)
        self.assertIsNone(self.delay(503, 31))

    def test_follows_a_call_that_is_not_repeatable_only_after_429(self) -> None:
        self.assertIsNotNone(self.delay(429, repeatable=False))
        for status in (None, 502, 503, 504):
            self.assertIsNone(self.delay(status, repeatable=False), status)

    def test_reads_retry_after_as_seconds_or_a_date(self) -> None:
        now = 1_772_366_400
        for value, seconds in (
            ("12", 12),
            ("Sun, 01 Mar 2026 12:00:05 GMT", 5),
            ("Sun, 01 Mar 2026 11:00:00 GMT", 0),
        ):
            self.assertEqual(read_retry_after(value, now), seconds)
        for junk in (None, "", "soon", "-1.5x", "٣", "Sun, 99 Mar 99999 12:00:00 GMT"):
            self.assertIsNone(read_retry_after(junk, now), junk)


class Retries(unittest.TestCase):
    def setUp(self) -> None:
        self.service = FakeService()

    def test_repeat_a_creation_under_one_key(self) -> None:
        self.service.replies += [TimeoutError(), problem(503, "TEMPORARILY_UNAVAILABLE")]
        created = self.service.client().create_payment_request(NEW)
        keys = {call.headers["idempotency-key"] for call in self.service.calls}
        self.assertEqual((len(self.service.calls), len(keys)), (3, 1))
        answered = answer_of(created)
        self.assertEqual(answered and answered.attempts, 3)
        self.service.client().create_payment_request(NEW, idempotency_key="order-1042")
        self.assertEqual(self.service.calls[-1].headers["idempotency-key"], "order-1042")

    def test_end_with_the_last_failure(self) -> None:
        for error, code in ((TimeoutError(), "TIMEOUT"), (ConnectionError(), "NETWORK_ERROR")):
            self.service.replies += [error] * 5
            with self.assertRaises(NoAnswerError) as raised:
                self.service.client().get_payment_request("1")
            self.assertEqual(raised.exception.code, code)
        self.assertEqual(len(self.service.calls), 10)
        self.service.replies += [problem(503, "TEMPORARILY_UNAVAILABLE", {"retry-after": "90"})]
        with self.assertRaises(ProblemError) as refused:
            self.service.client().get_payment_request("1")
        self.assertEqual(refused.exception.retry_after_seconds, 90)

    def test_leave_out_changes_that_may_have_been_made(self) -> None:
        client = self.service.client()
        changes: Any = {"displayMessage": "Row 7"}
        for attempt in (
            lambda: client.update_payment_request("1", changes, if_match='"1"'),
            lambda: client.update_webhook_endpoint("1", {"url": "https://shop.example.com"}),
        ):
            self.service.replies += [ConnectionError()]
            self.assertRaises(NoAnswerError, attempt)
        self.service.replies += [ConnectionError()]
        client.update_payment_request("1", changes)
        self.assertEqual(len(self.service.calls), 4)
        self.assertEqual(
            self.service.calls[-1].headers["content-type"], "application/merge-patch+json"
        )

    def test_count_a_deletion_as_done_when_its_answer_was_lost(self) -> None:
        client = self.service.client()
        missing = "WEBHOOK_ENDPOINT_NOT_FOUND"
        self.service.replies += [ConnectionError(), problem(404, missing)]
        client.delete_webhook_endpoint("1")
        self.service.replies += [problem(404, missing)]
        with self.assertRaises(ProblemError) as raised:
            client.delete_webhook_endpoint("1")
        self.assertEqual(raised.exception.code, missing)


class Calls(unittest.TestCase):
    def setUp(self) -> None:
        self.service = FakeService()

    def test_send_amounts_with_their_own_digits(self) -> None:
        client = self.service.client()
        for amount in ("25.50", 25.5, Decimal("25.5"), Decimal("2.55E1")):
            client.create_payment_request(new({"amount": amount}))
            body = self.service.calls[-1].body or b""
            self.assertIn(b'"amount":25.50', body)
            self.assertIn(b'"type":"ECOMM"', body)
        for wrong in ("25.505", 0.1 + 0.2, -1, "1e2", True, "٣", "25.50\n", None, Decimal("NaN")):
            with self.assertRaises(InvalidArgumentError) as raised:
                amount_to_cents(wrong)  # type: ignore[arg-type]
            self.assertEqual(raised.exception.code, "INVALID_AMOUNT")
        self.assertEqual(cents_to_amount(amount_to_cents("9999999999999.99")), "9999999999999.99")

    def test_read_amounts_exactly(self) -> None:
        text = b'{"amount":100,"paid":1e2,"count":7,"payment":{"amountReceived":0.30}}'
        self.service.replies += [answer(200, text)]
        read: Any = self.service.client().get_payment_request("1")
        self.assertEqual(repr(read["amount"]), "Decimal('100')")
        self.assertEqual(repr(read["payment"]["amountReceived"]), "Decimal('0.30')")
        self.assertEqual(repr(read["count"]), "7")

    def test_read_no_answer_out_of_a_hostile_body(self) -> None:
        for body in (b"[" * 100_000, b'{"amount":NaN}', b"9" * 5_000, b"\xff", b"[]", b""):
            self.service.replies += [answer(200, body)]
            with self.assertRaises(ProblemError) as raised:
                self.service.client().get_payment_request("1")
            self.assertEqual(raised.exception.code, "UNEXPECTED_ANSWER")
        faults = {"code": "VALIDATION_ERROR", "errors": [None, 7, {"field": "payer.name"}]}
        self.service.replies += [answer(400, faults)]
        with self.assertRaises(ProblemError) as refused:
            self.service.client().get_payment_request("1")
        self.assertEqual([each.field for each in refused.exception.errors], ["", "", "payer.name"])

    def test_ask_for_strictness_in_the_sandbox_alone(self) -> None:
        sandbox = self.service.client(username="sbx_a", api_key="sbx_b")
        sandbox.create_payment_request(NEW)
        self.assertEqual(self.service.calls[-1].headers["prefer"], "handling=strict")
        sandbox.create_payment_request(NEW, strict=False)
        self.assertNotIn("prefer", self.service.calls[-1].headers)
        self.service.client().create_payment_request(NEW)
        self.assertNotIn("prefer", self.service.calls[-1].headers)

    def test_know_the_version_of_what_they_read(self) -> None:
        client = self.service.client()
        self.service.replies += [answer(200, {"id": "1"}, {"etag": '"7"', "x-request-id": "r-1"})]
        read = client.get_payment_request("1")
        self.assertEqual(entity_tag_of(read), '"7"')
        self.assertIsNone(entity_tag_of(dict(read)))
        self.service.replies += [answer(304)]
        self.assertIsNone(client.get_payment_request("1", if_none_match='"7"', wait_seconds=3))
        self.assertEqual(self.service.calls[-1].headers["if-none-match"], '"7"')
        self.assertEqual(self.service.calls[-1].timeout_seconds, 18)

    def test_refuse_values_that_would_lead_elsewhere(self) -> None:
        client = self.service.client()
        for id in ("", ".", ".."):
            self.assertRaises(InvalidArgumentError, client.get_payment_request, id)
        client.get_payment_request("../a?b/é")
        self.assertEqual(
            self.service.calls[-1].url, "https://pay.test/v1/payment-requests/..%2Fa%3Fb%2F%C3%A9"
        )
        naive = datetime(2026, 3, 1, 12)
        for wrong in (
            lambda: client.create_payment_request(NEW, idempotency_key="a\nb: c"),
            lambda: client.create_payment_request(NEW, idempotency_key=""),
            lambda: client.update_payment_request("1", {}, if_match="a\r\nb: c"),
            lambda: client.get_payment_request("1", retries=11),
            lambda: client.get_payment_request("1", timeout_seconds=0),
            lambda: client.get_payment_request("1", timeout_seconds=float("nan")),
            lambda: client.create_payment_request(new({"expiryDateTime": naive})),
            lambda: client.create_payment_request(new({"metadata": {"a": {1, 2}}})),
        ):
            self.assertRaises(InvalidArgumentError, wrong)
        self.assertEqual(len(self.service.calls), 1)

    def test_write_instants_in_utc_and_lists_as_repeated_parameters(self) -> None:
        noon = datetime(2026, 3, 1, 13, tzinfo=timezone(timedelta(hours=1)))
        client = self.service.client()
        client.create_payment_request(new({"expiryDateTime": noon}))
        self.assertEqual(self.service.sent()["expiryDateTime"], "2026-03-01T12:00:00Z")
        page: Any = {"data": [], "hasMore": False, "nextCursor": None}
        self.service.replies += [answer(200, page)]
        list(client.list_payment_requests(status=["PAID", "FAILED"], created_from=noon))
        query = "status=PAID&status=FAILED&createdFrom=2026-03-01T12%3A00%3A00Z"
        self.assertEqual(
            self.service.calls[-1].url, f"https://pay.test/v1/payment-requests?{query}"
        )

    def test_are_logged_without_secrets(self) -> None:
        with self.assertLogs("payment_requests", logging.DEBUG) as logs:
            list(self.service.client().list_payment_requests(payer_email="ada@example.com"))
        text = "\n".join(logs.output)
        self.assertIn("GET https://pay.test/v1/payment-requests: 200", text)
        for secret in ("secret", "Bearer", "ada", "example.com"):
            self.assertNotIn(secret, text)
        self.assertNotIn("Bearer", repr(self.service.calls))


class Options(unittest.TestCase):
    def test_are_checked_and_shown_in_no_error(self) -> None:
        service = FakeService()
        wrongs: list[dict[str, Any]] = [
            {"password": ""},
            {"base_url": "pay.test"},
            {"base_url": "ftp://pay.test"},
            {"base_url": "https://pay.test:99999/v1"},
            {"base_url": "https://ada:secret@pay.test/v1"},
            {"auth_url": "https://pay.test/a b"},
            {"api_key": "secret key"},
            {"username": "sbx_a", "api_key": "prd_b"},
            {"timeout_seconds": 0},
            {"max_retries": 11},
            {"max_retries": 1.5},
        ]
        for wrong in wrongs:
            with self.assertRaises(InvalidArgumentError) as raised:
                service.client(**wrong)
            self.assertNotIn("secret", str(raised.exception), wrong)


class Lists(unittest.TestCase):
    def setUp(self) -> None:
        self.service = FakeService()

    def page(self, ids: list[str], more: bool, cursor: str | None) -> None:
        data = [{"id": each} for each in ids]
        self.service.replies += [answer(200, {"data": data, "hasMore": more, "nextCursor": cursor})]

    def queries(self) -> list[str]:
        return [call.url.partition("?")[2] for call in self.service.calls]

    def test_fetch_a_page_when_it_is_needed(self) -> None:
        self.page(["a", "b"], True, "2")
        self.page(["c"], False, None)
        found = iter(self.service.client().list_payment_requests(page_size=2, cursor="1"))
        self.assertEqual([next(found)["id"], next(found)["id"]], ["a", "b"])
        self.assertEqual(self.queries(), ["limit=2&cursor=1"])
        self.assertEqual([each["id"] for each in found], ["c"])
        self.assertEqual(self.queries()[1:], ["limit=2&cursor=2"])

    def test_end_at_a_cursor_that_stands_still(self) -> None:
        self.page(["a"], True, "1")
        self.page(["b"], True, "1")
        pages = list(self.service.client().list_refunds().pages())
        self.assertEqual([page.next_cursor for page in pages], ["1", None])

    def test_continue_the_ledger_behind_its_last_entry(self) -> None:
        self.page(["a"], False, "1")
        [page] = self.service.client().list_ledger_entries(after="0", from_="2026-03-01").pages()
        self.assertEqual((len(page.items), page.next_cursor), (1, "1"))
        self.assertEqual(self.queries(), ["from=2026-03-01&after=0"])

    def test_follow_the_feed_and_pause_where_it_does_not_wait(self) -> None:
        self.page(["a"], True, "1")
        self.page([], False, "1")
        self.page(["b"], False, "2")
        feed = iter(self.service.client().read_events(event_types=["*"], wait_seconds=5))
        self.assertEqual([next(feed)["id"], next(feed)["id"]], ["a", "b"])
        self.assertEqual(self.service.clock.sleeps, [1.0])
        self.assertEqual(self.queries()[2], "eventTypes=%2A&waitSeconds=5&after=1")

    def test_wait_for_a_refund_with_a_limit(self) -> None:
        for status in ("CREATED", "PROCESSING", "COMPLETED"):
            self.service.replies += [answer(200, {"id": "1", "status": status})]
        refund = self.service.client().wait_for_refund("1")
        self.assertEqual(refund["status"], "COMPLETED")
        self.assertEqual(self.queries(), ["", "waitSeconds=30", "waitSeconds=30"])
        self.service.replies += [answer(200, {"status": "CREATED"}) for _ in range(9)]
        with self.assertRaises(NoAnswerError) as raised:
            self.service.client().wait_for_refund("1", give_up_after_seconds=3)
        self.assertEqual(raised.exception.code, "TIMEOUT")

    def test_follow_a_replay_to_its_end(self) -> None:
        for status in ("RUNNING", "COMPLETED"):
            self.service.replies += [answer(200, {"status": status})]
        seen = [each["status"] for each in self.service.client().follow_webhook_replay("1", "2")]
        self.assertEqual(seen, ["RUNNING", "COMPLETED"])
        self.assertEqual(self.service.clock.sleeps, [2])
