import t from 'tap'
import { mysqlVendorOn } from './vendor.js'

await mysqlVendorOn(t, 'mysql')
