# Reads a case a line, as the test writes them, and answers true, false or error.
import base64, sys
from webhooks import is_genuine

username, password = sys.argv[1:3]
NAMES = ("webhook-id", "webhook-timestamp", "webhook-signature", "authorization")
for line in sys.stdin:
    *values, body, secret = line.rstrip("\n").split("\t")
    headers = {name: value for name, value in zip(NAMES, values) if value}
    try:
        answer = is_genuine(headers, base64.b64decode(body), username, password, secret)
        print("true" if answer else "false")
    except ValueError:
        print("error")
