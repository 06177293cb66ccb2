/** What one would keep of the first model of each database, counted by hand. */
interface Expected {
  /** The data objects that are no second role of a table. */
  readonly objects: readonly string[]
  readonly roles: readonly string[]
  readonly bridges: readonly string[]
  /** The times that have a month. */
  readonly months: readonly string[]
  /** Names that no one groups by. */
  readonly noise: RegExp
  readonly sums: readonly string[]
}

/** A text that is a key, such as the customer ALFKI, may be asked for. */
const NOISE = /last update|phone|fax|postal|zip|email|password|picture|photo|fulltext|\b(?<!customer |territory )id\b/i

export const expected: Readonly<Record<string, Expected>> = {
  chinook: {
    objects: [
      'Album',
      'Artist',
      'Customer',
      'Employee',
      'Genre',
      'Invoice',
      'Invoice Line',
      'Media Type',
      'Playlist',
      'Playlist Track',
      'Track',
    ],
    roles: ['Manager Employee'],
    bridges: ['Playlist Track'],
    months: ['Employee Birth Month', 'Invoice Month'],
    noise: NOISE,
    sums: ['Invoice Line Quantity', 'Invoice Total', 'Revenue'],
  },
  sakila: {
    objects: [
      'Actor',
      'Category',
      'Customer',
      'Film',
      'Film Actor',
      'Film Category',
      'Inventory',
      'Language',
      'Payment',
      'Rental',
      'Staff',
      'Store',
    ],
    roles: [
      'Customer Address',
      'Customer City',
      'Customer Country',
      'Customer Store',
      'Manager Staff',
      'Original Language',
      'Rental Customer',
      'Rental Customer Address',
      'Rental Customer City',
      'Rental Customer Country',
      'Rental Customer Store',
      'Rental Staff',
      'Rental Staff Address',
      'Rental Staff City',
      'Rental Staff Country',
      'Rental Staff Store',
      'Staff Address',
      'Staff City',
      'Staff Country',
      'Staff Store',
      'Store Address',
      'Store City',
      'Store Country',
    ],
    bridges: ['Film Actor', 'Film Category'],
    months: ['Customer Create Month', 'Payment Month', 'Rental Month'],
    noise: NOISE,
    sums: ['Payment Amount'],
  },
  vega: {
    objects: ['Birdstrikes', 'Gapminder', 'Gapminder Health Income', 'Seattle Weather'],
    roles: [],
    bridges: [],
    months: ['Flight Month', 'Seattle Weather Month'],
    noise: NOISE,
    sums: ['Cost Other', 'Cost Repair', 'Cost Total', 'Pop', 'Population', 'Precipitation'],
  },
  northwind: {
    objects: [
      'Categories',
      'Customers',
      'Employee Territories',
      'Employees',
      'Order Details',
      'Orders',
      'Products',
      'Region',
      'Shippers',
      'Suppliers',
      'Territories',
    ],
    roles: ['Manager Employees'],
    bridges: ['Employee Territories'],
    months: ['Employee Birth Month', 'Order Month'],
    noise: NOISE,
    sums: ['Freight', 'Order Detail Quantity', 'Revenue', 'Units In Stock', 'Units On Order'],
  },
}
