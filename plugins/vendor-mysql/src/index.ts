import { definePlugin, optionalText } from '@grainline/core'
import { optionsSchema, plansOf } from './options.js'
import { mysqlVendor } from './vendor.js'

export type { MysqlOptions } from './options.js'
export { mysqlVendor, plansOf }

/** Runs queries on MySQL and on MariaDB. The driver is loaded and the first connection opened by the first query. */
export default definePlugin({
  name: '@grainline/vendor-mysql',
  host: '>=0.1.0 <1.0.0',
  options: optionsSchema,
  settings: {
    MYSQL_URL: optionalText({
      means: 'The MySQL database, as mysql://user:password@host:port/database. Default: the one in the configuration.',
      secret: true,
    }),
    MARIADB_URL: optionalText({
      means: 'The MariaDB database, as mariadb://user:password@host:port/database. Default: the one in the configuration.',
      secret: true,
    }),
  },
  setup(host, options) {
    for (const plan of plansOf(options, host.settings)) host.vendors.register(mysqlVendor(plan))
  },
})
