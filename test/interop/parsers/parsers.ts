/** Judges of a text's form alone, in the Python environment of fakesnow. They know no functions and no types. */
import { existsSync } from 'node:fs'
import { type LineServer, startLineServer } from '../line-server.js'
import { python } from '../snowflake/engine.js'

/** The judges, or a sentence that says why there are none here. */
export const openParsers = (): LineServer<object> | string =>
  existsSync(python)
    ? startLineServer(python, [new URL('parse_lines.py', import.meta.url).pathname])
    : 'sqlglot is not installed here: run test/interop/snowflake/install.sh'
