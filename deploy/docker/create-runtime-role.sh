#!/bin/sh
# PostgreSQL's image runs this script once, on an empty data folder. The script makes the role of
# `payreq serve`, which owns nothing (docs/operations/database-roles.md). `payreq migrate` grants
# its rights.
set -eu
password=$(cat "${RUNTIME_PASSWORD_FILE:-/run/secrets/runtime-password}")
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --set password="$password" \
  --username "${POSTGRES_USER:-postgres}" --dbname "${POSTGRES_DB:-payments}" <<'SQL'
CREATE ROLE payreq_runtime LOGIN PASSWORD :'password';
SQL
