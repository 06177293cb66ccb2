#!/bin/sh
# Olingo, a client of OData in Java, in a folder beside this file. If it cannot be installed here, its test is skipped.
cd "$(dirname "$0")" || exit 1
clients=.clients
mkdir -p "$clients/lib"
ls "$clients"/lib/odata-client-core-*.jar >/dev/null 2>&1 ||
  mvn -q -B dependency:copy-dependencies -DoutputDirectory="$PWD/$clients/lib" || echo 'Olingo cannot be installed here'
[ "$clients/OlingoClient.class" -nt OlingoClient.java ] || javac -cp "$clients/lib/*" -d "$clients" OlingoClient.java ||
  echo 'the program with Olingo cannot be compiled here'
exit 0
