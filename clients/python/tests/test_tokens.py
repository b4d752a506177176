"""The access token: the behaviour of the SDK for TypeScript."""

from __future__ import annotations

import base64
import json
import pickle
import threading
import time
import unittest

from payment_requests import (
    AccessTokenError,
    HttpRequest,
    HttpResponse,
    PaymentRequestsError,
    ProblemError,
)
from payment_requests._tokens import THREAD_NAME

from .fake_service import TOKEN_SECONDS, FakeService, answer, problem

EARLY_SECONDS = TOKEN_SECONDS * 0.9


def wait_for_renewal(service: FakeService, count: int) -> None:
    """Waits for the thread that renews a token early; it takes a moment."""
    for thread in threading.enumerate():
        if thread.name == THREAD_NAME:
            thread.join(5)
    assert len(service.token_calls) == count, service.token_calls


class AccessToken(unittest.TestCase):
    def setUp(self) -> None:
        self.service = FakeService()

    def test_is_requested_with_basic_credentials_in_utf_8(self) -> None:
        self.service.client().get_payment_request("1")
        [call] = self.service.token_calls
        basic = base64.b64encode("ürsula:prd_secret_password".encode()).decode()
        self.assertEqual(call.method, "POST")
        self.assertEqual(call.headers["authorization"], f"Basic {basic}")
        self.assertEqual(call.headers["content-type"], "application/x-www-form-urlencoded")
        self.assertEqual(
            call.body, b"grant_type=client_credentials&scope=payment_request%2Fall"
        )
        self.assertEqual(self.service.tokens(), ["Bearer token-1"])
        self.assertEqual(self.service.calls[0].headers["x-api-key"], "prd_secret_key")

    def test_is_requested_once_for_twenty_threads_and_kept(self) -> None:
        def slowly(_: HttpRequest) -> HttpResponse:
            time.sleep(0.05)
            return answer(200, {"access_token": "token-0", "expires_in": TOKEN_SECONDS})

        self.service.token_replies += [slowly]
        client = self.service.client()
        threads = [
            threading.Thread(target=client.get_payment_request, args=["1"]) for _ in range(20)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.service.clock.time += EARLY_SECONDS - 1
        client.get_payment_request("1")
        self.assertEqual(len(self.service.token_calls), 1)
        self.assertEqual(len(self.service.calls), 21)

    def test_is_renewed_early_and_once_while_the_old_token_is_still_used(self) -> None:
        client = self.service.client()
        client.get_payment_request("1")
        self.service.clock.time += EARLY_SECONDS + 1
        client.get_payment_request("1")
        wait_for_renewal(self.service, 2)
        client.get_payment_request("1")
        self.assertEqual(
            self.service.tokens(), ["Bearer token-1", "Bearer token-1", "Bearer token-2"]
        )

    def test_stays_in_use_until_its_end_while_its_renewal_fails(self) -> None:
        client = self.service.client(max_retries=0)
        client.get_payment_request("1")
        self.service.clock.time += EARLY_SECONDS + 1
        self.service.token_replies += [OSError(), problem(500, "INTERNAL_ERROR")]
        for count in (2, 3):
            client.get_payment_request("1")
            wait_for_renewal(self.service, count)
        self.assertEqual(self.service.tokens(), ["Bearer token-1"] * 3)
        self.service.clock.time += TOKEN_SECONDS - EARLY_SECONDS
        client.get_payment_request("1")
        self.assertEqual(self.service.tokens()[-1], "Bearer token-2")

    def test_is_replaced_once_when_the_service_refuses_it(self) -> None:
        client = self.service.client()
        self.service.replies += [problem(401, "ACCESS_TOKEN_EXPIRED")]
        self.assertEqual(client.get_payment_request("1"), {"id": "1"})
        self.assertEqual(self.service.tokens(), ["Bearer token-1", "Bearer token-2"])
        self.service.replies += [problem(401, "ACCESS_TOKEN_INVALID") for _ in range(2)]
        with self.assertRaises(ProblemError) as raised:
            client.get_payment_request("1")
        self.assertEqual(raised.exception.code, "ACCESS_TOKEN_INVALID")
        self.assertEqual(len(self.service.calls), 4)

    def test_is_not_renewed_because_of_a_wrong_api_key(self) -> None:
        self.service.replies += [problem(401, "API_KEY_INVALID")]
        with self.assertRaises(ProblemError) as raised:
            self.service.client().get_payment_request("1")
        self.assertEqual((raised.exception.code, raised.exception.status), ("API_KEY_INVALID", 401))
        self.assertEqual(len(self.service.token_calls), 1)

    def test_reports_wrong_credentials_and_never_shows_them(self) -> None:
        refusal = {"error": "invalid_client"}
        self.service.token_replies += [answer(401, refusal, {"x-request-id": "r-1"})]
        with self.assertRaises(AccessTokenError) as raised:
            self.service.client().get_payment_request("1")
        error = raised.exception
        known = (error.code, error.status, error.request_id)
        self.assertEqual(known, ("invalid_client", 401, "r-1"))
        self.assertNotIn("secret", f"{error!r} {error.__dict__}")
        self.assertEqual(len(self.service.token_calls), 1)

    def test_reports_that_credentials_belong_to_the_other_environment(self) -> None:
        for prefix, own, other in (
            ("sbx_", "sandbox", "production"),
            ("prd_", "production", "sandbox"),
        ):
            description = f"No valid username of the {other} environment was sent."
            refusal = {"error": "invalid_client", "error_description": description}
            self.service.token_replies += [answer(401, refusal)]
            client = self.service.client(username=f"{prefix}a", api_key=f"{prefix}b")
            with self.assertRaises(AccessTokenError) as raised:
                client.get_payment_request("1")
            error = raised.exception
            self.assertEqual((error.credential_environment, error.service_environment), (own, other))
            for part in (description, f"begins with {prefix}", f"this service is {other}."):
                self.assertIn(part, str(error))

    def test_is_requested_again_after_a_network_fault_and_429(self) -> None:
        busy = problem(429, "RATE_LIMITED", {"retry-after": "2"})
        self.service.token_replies += [ConnectionError(), busy]
        self.service.client().get_payment_request("1")
        self.assertEqual(len(self.service.token_calls), 3)
        self.assertGreaterEqual(self.service.clock.sleeps[1], 2)

    def test_rejects_an_answer_without_a_token_or_a_lifetime(self) -> None:
        for body in ({}, {"access_token": "x"}, {"access_token": 1, "expires_in": 3600}):
            self.service.token_replies += [answer(200, body)]
            with self.assertRaises(AccessTokenError) as raised:
                self.service.client().get_payment_request("1")
            self.assertEqual(raised.exception.code, "invalid_answer")

    def test_passes_its_errors_between_processes(self) -> None:
        self.service.replies += [problem(409, "ALREADY_PAID")]
        with self.assertRaises(ProblemError) as raised:
            self.service.client().cancel_payment_request("1")
        copy: PaymentRequestsError = pickle.loads(pickle.dumps(raised.exception))
        self.assertEqual(
            (type(copy), copy.code, str(copy)),
            (ProblemError, "ALREADY_PAID", "ALREADY_PAID: About ALREADY_PAID."),
        )
        self.assertEqual(json.dumps(copy.request_id), '"in-the-body"')
