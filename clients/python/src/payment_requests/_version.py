# Made from the OpenAPI document by `npm run docs`; do not edit.
"""The version of this package, which is the service's."""

VERSION = "1.0.0rc1"
