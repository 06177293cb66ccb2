"""sqlglot and sqlfluff as judges of a text's form. Reads {"parser", "dialect", "sql"} a line; answers {} or {"error"} each by a line."""
import json
import sys

import sqlglot
from sqlfluff.core import FluffConfig, Linter

# A calendar nests deeper than Python likes.
sys.setrecursionlimit(20_000)
linters = {}


def judge(parser, dialect, sql):
    if parser == "sqlglot":
        (tree,) = sqlglot.parse(sql, read=dialect, error_level=sqlglot.ErrorLevel.RAISE)
        if isinstance(tree, sqlglot.exp.Command):
            raise ValueError("a statement that sqlglot does not read")
        return
    if dialect not in linters:
        linters[dialect] = Linter(FluffConfig(overrides={"dialect": dialect, "max_parse_depth": 5_000}))
    parsed = linters[dialect].parse_string(sql)
    if parsed.violations:
        raise ValueError("; ".join(str(violation) for violation in parsed.violations))


for line in sys.stdin:
    request = json.loads(line)
    try:
        judge(**request)
        reply = {}
    except Exception as error:
        reply = {"error": str(error)}
    print(json.dumps(reply), flush=True)
