import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { wireConfig } from './server.js'

const flights = fileURLToPath(new URL('../../examples/flights', import.meta.url))
const tables = ['flights', 'airlines', 'airports', 'planes', 'weather', 'hours'].map((name) => [
  name,
  path.join(flights, `data/${name}.parquet`),
])

/** A server that publishes the example of the flights. */
export const flightsConfig = wireConfig('flights', path.join(flights, 'model.yaml'), { tables: Object.fromEntries(tables) })
