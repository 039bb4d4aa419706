#!/bin/bash
# Starts the standby. The first time it copies the primary.
set -euo pipefail

if [[ ! -s $PGDATA/PG_VERSION ]]; then
  copy=$(dirname "$PGDATA")/copy
  mkdir -p "$(dirname "$PGDATA")"
  while rm -rf "$copy" && ! pg_basebackup --pgdata "$copy" --checkpoint fast --wal-method stream --slot standby \
    --dbname "host=primary port=5432 user=replicator passfile=/run/secrets/replication-pgpass"; do
    echo "standby-start: the primary cannot be copied yet" >&2
    sleep 2
  done
  touch "$copy/standby.signal"
  # A copy that was cut short never has this name.
  mv -T "$copy" "$PGDATA"
fi
exec postgres -c config_file=/etc/postgresql/standby.conf
