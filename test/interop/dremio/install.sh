#!/bin/sh
# The parser of Apache Calcite, from Maven Central.
set -eu
root=${GRAINLINE_ENGINES:-$HOME/.cache/grainline/engines}/dremio
[ -f "$root/ParseLines.class" ] && exit 0
cd "$(dirname "$0")"
mvn -q dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$root/lib"
javac -cp "$root/lib/*" -d "$root" ParseLines.java
