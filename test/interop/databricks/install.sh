#!/bin/sh
# Spark, of which Databricks is made, in a Python environment of its own, and a program that asks it line by line.
set -eu
root=${GRAINLINE_ENGINES:-$HOME/.cache/grainline/engines}/databricks
[ -f "$root/SparkLines.class" ] && [ "$root/SparkLines.class" -nt "$(dirname "$0")/SparkLines.java" ] && exit 0
cd "$(dirname "$0")"
if [ ! -e "$root/jars" ]; then
  rm -rf "$root"
  mkdir -p "$(dirname "$root")"
  python3 -m venv "$root"
  "$root/bin/pip" install -q pyspark==4.3.0 || { rm -rf "$root"; exit 1; }
  ln -s "$("$root/bin/python" -c 'import os, pyspark; print(os.path.dirname(pyspark.__file__))')/jars" "$root/jars"
fi
javac -cp "$root/jars/*" -d "$root" SparkLines.java
