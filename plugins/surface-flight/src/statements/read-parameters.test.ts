import { batchParts, schemaParts } from '@grainline/flight-sql'
import * as arrow from 'apache-arrow'
import t from 'tap'
import { readParameters } from './read-parameters.js'

/** A batch of columns as it travels. */
async function messagesOf(columns: Readonly<Record<string, arrow.Vector>>) {
  const [batch] = new arrow.Table(columns).batches
  const parts = [await schemaParts(batch!.schema), await batchParts(batch!)]
  return parts.map(({ header, body }) => ({ header, body: Buffer.from(body) }))
}

const column = (type: arrow.DataType, value: unknown): arrow.Vector => arrow.vectorFromArray([value], type)

t.test('a value of every type that drivers send is read', async (t) => {
  const day = new Date('2024-02-29T00:00:00Z')
  const values = readParameters(
    await messagesOf({
      text: column(new arrow.Utf8(), 'é🙂'),
      large: column(new arrow.LargeUtf8(), 'large'),
      yes: column(new arrow.Bool(), true),
      small: column(new arrow.Int8(), -5),
      unsigned: column(new arrow.Uint32(), 4_000_000_000),
      big: column(new arrow.Int64(), -(2n ** 62n)),
      double: column(new arrow.Float64(), 0.5),
      day: column(new arrow.DateDay(), day),
      milliseconds: column(new arrow.DateMillisecond(), day),
      second: column(new arrow.TimestampSecond(), day.getTime()),
      micro: column(new arrow.TimestampMicrosecond(), day.getTime()),
      nothing: column(new arrow.Utf8(), null),
      absent: column(new arrow.Null(), null),
    }),
  )
  t.same(
    values?.map(({ value }) => value),
    [
      ...['é🙂', 'large', true, '-5', '4000000000', String(-(2n ** 62n)), 0.5, '2024-02-29', '2024-02-29'],
      ...['2024-02-29 00:00:00', '2024-02-29 00:00:00', null, null],
    ],
  )
})

t.test('an empty batch binds nothing; two rows, and nested columns, are refused', async (t) => {
  t.equal(readParameters(await messagesOf({ a: arrow.vectorFromArray([], new arrow.Utf8()) })), undefined)
  const refused = async (vector: arrow.Vector, message: RegExp) => {
    const messages = await messagesOf({ a: vector })
    t.throws(() => readParameters(messages), { message })
  }
  await refused(arrow.vectorFromArray(['a', 'b'], new arrow.Utf8()), /once for each row/)
  await refused(arrow.vectorFromArray([[1]], new arrow.List(new arrow.Field('item', new arrow.Int32()))), /cannot be a parameter/)
  await refused(arrow.vectorFromArray(['a']), /use a dictionary/)
})

t.test('corrupted bytes are refused at once, because no length is trusted', async (t) => {
  const messages = await messagesOf({ a: column(new arrow.Int64(), 7n), b: column(new arrow.Utf8(), 'text') })
  const lengths = [-1, 0, 1, 0x7fffffff, -0x80000000, 65_536]
  let refusals = 0
  for (const index of [0, 1]) {
    for (let at = 0; at + 4 <= messages[index]!.header.length; at++) {
      for (const length of lengths) {
        const header = Buffer.from(messages[index]!.header)
        header.writeInt32LE(length, at)
        try {
          readParameters(messages.map((message, i) => (i === index ? { ...message, header } : message)))
        } catch (error) {
          refusals++
          t.match(error, { code: 3 }) || t.comment(`${index} ${at} ${length}`)
        }
      }
    }
  }
  t.ok(refusals > 100, `${refusals} refusals`)
})
