/** What was planted into the rows of each database, by what its question says. */
export type Planted = readonly (readonly [what: string, question: RegExp])[]

export const planted: Readonly<Record<string, Planted>> = {
  planted: [
    ['test rows', /'Party' count whose 'Name' says that they are tests/],
    ['deleted rows beside their successors', /'Agreement' count that are deleted by their 'Gone'/],
    ['states', /'Bill' count whose 'Phase' is 'draft' or 'void'/],
    ['tax', /Is 'Second Value' or 'First Value' of 'Bill' the amount/],
    ['currencies', /In which currency are the amounts of 'Bill'/],
    ['cents', /Is 'Taken' of 'Fare' in cents/],
    ['totals beside lines', /Is 'First Value' of 'Bill' or 'Each Value' times 'Pieces' of 'Bill Part' the amount/],
    ['snapshots', /Is 'Shelf' the state of each 'Item' on each 'Day'/],
    ['times without a zone', /In which time zone are the times/],
    ['spelling', /values of 'Sort Of' of 'Bill Part' the same/],
    ['a load that was repeated', /repeated values of 'Call Ref' of 'Call'/],
  ],
  'planted-chinook': [
    ['test rows', /'Customer' count whose '(Email|Last Name)' says that they are tests/],
    ['deleted rows beside their successors', /'Customer' count that are deleted by their 'Closed On'/],
    ['states', /'Invoice' count whose 'Standing' is 'cancelled' or 'credited'/],
    ['tax', /Is 'Payable' or 'Total' of 'Invoice' the amount/],
    ['currencies', /In which currency are the amounts of 'Invoice'/],
    ['cents', /Is 'Postage' of 'Parcel' in cents/],
    ['totals beside lines', /Is 'Total' of 'Invoice' or 'Unit Price'( times 'Quantity')? of 'Invoice Line' the amount/],
    ['snapshots', /Is 'Royalty Balance' the state of each 'Artist Id' on each 'Month End'/],
    ['times without a zone', /In which time zone are the times/],
    ['spelling', /values of 'Country' of 'Customer' the same/],
    ['a load that was repeated', /repeated values of 'Stream No' of 'Stream'/],
  ],
  'planted-sakila': [
    ['test rows', /'Customer' count whose '(Email|First Name)' says that they are tests/],
    ['deleted rows beside their successors', /'Payment' count that are deleted by their 'Superseded'/],
    ['states', /'Payment' count whose 'Progress' is 'chargeback' or 'written off'/],
    ['tax', /Is 'Due' or 'Amount' of 'Payment' the amount/],
    ['currencies', /In which currency are the amounts of 'Payment'/],
    ['cents', /Is 'Replacement' of 'Film' in cents/],
    ['totals beside lines', /Is 'Billed' of 'Bill' or 'Amount' of 'Payment' the amount/],
    ['snapshots', /Is 'Stock' the state of each 'Store Id' and 'Film Id' on each 'Week'/],
    ['times without a zone', /In which time zone are the times/],
    ['spelling', /values of 'Region' of 'Customer Address' the same/],
    ['a load that was repeated', /repeated values of 'Visit No' of 'Visit'/],
  ],
}
