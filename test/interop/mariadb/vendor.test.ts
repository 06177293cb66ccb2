import t from 'tap'
import { vendorOn } from '../mysql/vendor.js'

await vendorOn(t, 'mariadb')
