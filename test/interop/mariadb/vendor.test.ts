import t from 'tap'
import { mysqlVendorOn } from '../mysql/vendor.js'

await mysqlVendorOn(t, 'mariadb')
