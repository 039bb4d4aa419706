#!/bin/bash
# Makes the users and the database, when the primary starts for the first time.
set -euo pipefail

psql -X -q -v ON_ERROR_STOP=1 --username postgres --dbname postgres \
  -v password="$(</run/secrets/cloudsync-password)" -v replication="$(</run/secrets/replication-password)" <<'SQL'
CREATE ROLE cloudsync LOGIN PASSWORD :'password';
CREATE ROLE replicator LOGIN REPLICATION PASSWORD :'replication';
CREATE DATABASE cloudsync OWNER cloudsync ENCODING UTF8 TEMPLATE template0;
SELECT pg_create_physical_replication_slot('standby');
SQL
