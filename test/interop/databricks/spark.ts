/** Spark 4.3 with the settings of a Databricks SQL warehouse: ANSI mode, sessions in UTC. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'

const root = path.join(process.env['GRAINLINE_ENGINES'] ?? path.join(homedir(), '.cache/grainline/engines'), 'databricks')

/** Why Spark cannot run here; `undefined` if it can. */
export const missingSpark = (): string | undefined =>
  existsSync(path.join(root, 'SparkLines.class'))
    ? undefined
    : 'Spark is not installed here: run test/interop/databricks/install.sh'

/** The options for Java 17 that Spark adds when it starts itself: https://spark.apache.org/docs/latest/ */
const OPENED = [
  'java.lang',
  'java.lang.invoke',
  'java.lang.reflect',
  'java.io',
  'java.net',
  'java.nio',
  'java.util',
  'java.util.concurrent',
  'java.util.concurrent.atomic',
  'sun.nio.ch',
  'sun.nio.cs',
  'sun.security.action',
  'sun.util.calendar',
].map((name) => `--add-opens=java.base/${name}=ALL-UNNAMED`)

/** The arguments of `java` that run a class with Spark on the class path, optimised for a quick start. */
export const javaArgs = (main: string, memory = '1g'): string[] => [
  `-Xmx${memory}`,
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  ...OPENED,
  '-cp',
  `${root}:${root}/jars/*`,
  main,
]
