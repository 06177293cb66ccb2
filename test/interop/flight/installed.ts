/** Where test/interop/flight/install.sh puts the clients. */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

const here = import.meta.dirname
export const clients = path.join(here, '.clients')
const jar = existsSync(clients) ? readdirSync(clients).find((file) => file.endsWith('.jar')) : undefined
export const driver = path.join(clients, jar ?? 'flight-sql-jdbc-driver.jar')
export const python = path.join(clients, 'python/bin/python')

/** Arrow reads internal memory of Java, which needs an option. Optimised for a quick start. */
export const JAVA_OPTIONS = ['--add-opens=java.base/java.nio=ALL-UNNAMED', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1']

/** Why a test is skipped, or `false`. */
export const missing = (needs: string): string | false =>
  existsSync(needs) ? false : `${path.relative(here, needs)} is not there; test/interop/flight/install.sh says why`
