"""The errors of the client. Their names and codes are those of the SDK for TypeScript."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

CredentialEnvironment = Literal["sandbox", "production"]


@dataclass(frozen=True)
class FieldFault:
    """A fault in one field of a refused call."""

    field: str
    """The field's path with dots, for example `payer.email`."""
    pointer: str
    """The field's path by RFC 6901, for example `/payer/email`."""
    code: str
    message: str
    """A sentence that says which value is valid."""


class PaymentRequestsError(Exception):
    """The base class of every error of this package."""

    def __init__(self, code: str, message: str, request_id: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        """Names the failure in one word; safe to branch on."""
        self.request_id = request_id
        """Identifies the call in the service's log. Quote it in a question to the operator."""

    def __reduce__(self) -> tuple[Any, ...]:
        # A worker process passes its errors on by pickle, which would call the class again.
        return _restore, (type(self), self.args, self.__dict__)


def _restore(
    kind: type[PaymentRequestsError], args: tuple[Any, ...], members: dict[str, Any]
) -> PaymentRequestsError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(members)
    return error


class ProblemError(PaymentRequestsError):
    """The service refused a call (`application/problem+json`, RFC 9457).

    An error answer that is no problem document, for example a proxy's page, has the code
    `UNEXPECTED_ANSWER`.
    """

    def __init__(
        self,
        code: str,
        *,
        status: int,
        title: str,
        detail: str,
        type: str | None = None,
        errors: tuple[FieldFault, ...] = (),
        request_id: str | None = None,
        retry_after_seconds: int | None = None,
    ) -> None:
        faults = [f"{each.field}: {each.message}".removeprefix(": ") for each in errors]
        super().__init__(code, " ".join([f"{code}: {detail}", *faults]), request_id)
        self.status = status
        self.title = title
        self.type = type
        """The URL that explains the code."""
        self.errors = errors
        """Every fault of the call; empty when no field is at fault."""
        self.retry_after_seconds = retry_after_seconds
        """The delay that the service asked for; the client has used up its retries."""


class AccessTokenError(PaymentRequestsError):
    """The token call refused the credentials: wrong, or those of the other environment."""

    def __init__(
        self,
        code: str,
        *,
        status: int,
        description: str | None = None,
        request_id: str | None = None,
        credential_environment: CredentialEnvironment | None = None,
    ) -> None:
        named = re.search(r"\b(sandbox|production) environment\b", description or "")
        service: CredentialEnvironment | None = None
        if named:
            service = "sandbox" if named[1] == "sandbox" else "production"
        parts = [f"The token call was refused with {status} {code}."]
        if description is not None:
            parts.append(description)
        own = credential_environment
        if own is not None and own != service and code == "invalid_client":
            prefix = "sbx_" if own == "sandbox" else "prd_"
            owner = f"The username begins with {prefix}: it is a credential of {own}"
            if service is None:
                parts.append(f"{owner}. Check that auth_url is the URL of {own}.")
            else:
                parts.append(f"{owner}, and this service is {service}.")
        super().__init__(code, " ".join(parts), request_id)
        self.status = status
        self.credential_environment = own
        """The environment that the username's prefix names: `sbx_` is the sandbox's."""
        self.service_environment = service
        """The environment of the service, when its answer names the environment."""


class NoAnswerError(PaymentRequestsError):
    """No answer arrived: `NETWORK_ERROR`, or `TIMEOUT` after the limit.

    The service may or may not have done the work. The service does a creation that you repeat with
    an equal idempotency key once.
    """


class InvalidArgumentError(PaymentRequestsError):
    """A value that you gave is invalid, so no call was sent.

    The code is `INVALID_AMOUNT` for an amount and `INVALID_ARGUMENT` for any other value.
    """

    def __init__(
        self, message: str, code: Literal["INVALID_ARGUMENT", "INVALID_AMOUNT"] = "INVALID_ARGUMENT"
    ) -> None:
        super().__init__(code, message)


_CELL_MARK = re.compile(r"^c[0-9]{1,3}-")


def environment_of(credential: str) -> CredentialEnvironment | None:
    """Reads the environment off a credential's prefix.

    A deployment in several cells begins its credentials with a mark, as in `c2-prd_`.
    """
    unmarked = _CELL_MARK.sub("", credential)
    if unmarked.startswith("sbx_"):
        return "sandbox"
    return "production" if unmarked.startswith("prd_") else None
