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

const NOISE = /last update|phone|fax|postal|zip|email|password|picture|photo|fulltext|\bid\b/i

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
}
