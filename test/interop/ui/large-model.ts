/** The default number of objects in the model. */
export const OBJECTS = 200

/** Objects that each join to one of the previous ones. */
export function largeModel(objects = OBJECTS): string {
  const every = (text: (i: number) => string): string => Array.from({ length: objects }, (_, i) => text(i)).join('\n')
  const join = (i: number) =>
    i === 0
      ? ''
      : `\n    joins: [{joinType: many-to-one, joinTo: Object ${Math.floor((i - 1) / 3)}, columnsFrom: [Up], columnsTo: [Id]}]`
  return `name: large
dataObjects:
${every(
  (i) => `  Object ${i}:
    code: (SELECT 1 AS id, 1 AS up, 'x' AS name, 5 AS amount)
    columns:
      Id: {code: id, abstractType: int, primaryKey: true}
      Up: {code: up, abstractType: int}
      Name: {code: name, abstractType: string}
      Amount: {code: amount, abstractType: int}${join(i)}`,
)}
dimensions:
${every((i) => `  Name ${i}: {dataObject: Object ${i}, column: Name}`)}
measures:
${every((i) => `  Amount ${i}: {aggregation: sum, columns: [{dataObject: Object ${i}, column: Amount}]}`)}
`
}
