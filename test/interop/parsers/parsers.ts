/** Parsers that check only the syntax, in the Python environment of fakesnow. They know no functions and no types. */
import { existsSync } from 'node:fs'
import { type LineServer, startLineServer } from '../line-server.js'
import { python } from '../snowflake/engine.js'

/** The parsers, or the reason why there are none here. */
export const openParsers = (): LineServer<object> | string =>
  existsSync(python)
    ? startLineServer(python, [new URL('parse_lines.py', import.meta.url).pathname])
    : 'sqlglot is not installed here: run test/interop/snowflake/install.sh'
