import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { inDuckDb, ordersModel } from '../bench/pgwire-orders.js'
import { wireConfig } from './server.js'

/** A server that publishes so many orders as `sales`. */
export function ordersConfig(count: number): string {
  const model = path.join(mkdtempSync(path.join(os.tmpdir(), 'grainline-load-')), 'sales.yaml')
  writeFileSync(model, ordersModel)
  return wireConfig('sales', model, { init: inDuckDb(count) })
}
