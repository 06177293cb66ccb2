import { loadDriver } from '@grainline/core/vendor'
import type * as Mysql from 'mysql2'

export type Driver = Pick<typeof Mysql, 'createConnection'>

export const loadMysql = (): Promise<Driver> =>
  loadDriver('MySQL', 'mysql2', async () => {
    const loaded = await import('mysql2')
    return loaded.default ?? loaded
  })
