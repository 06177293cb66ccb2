import t from 'tap'
import { vendorOn } from './vendor.js'

await vendorOn(t, 'mysql')
