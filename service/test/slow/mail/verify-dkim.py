"""Verifies the mail of the standard input by dkimpy; the arguments are a DNS name and its text."""

import sys

import dkim

name, text = (argument.encode() for argument in sys.argv[1:])
signature = dkim.DKIM(sys.stdin.buffer.read())
is_genuine = signature.verify(dnsfunc=lambda asked, timeout=5: text if asked == name + b"." else None)
print(is_genuine, b" ".join(sorted(field for field, _ in signature.signed_headers)).decode())
