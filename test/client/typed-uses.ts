/**
 * Uses of the typed client that the compiler must accept and refuse. `tsc` is the test: a use that is marked as an error and compiles is an
 * error, and so is an unmarked use that does not compile. No code here runs.
 */
import type { Client } from '@grainline/client'

interface Shop {
  dimensions: { Country: string; 'Order Date': string; 'Is New': boolean; Items: number }
  times: 'Order Date'
  grains: 'day' | 'month' | 'fiscal_quarter'
  measures: { Revenue: string; Orders: number; 'Return Rate': number }
  columns: { 'Orders.Amount': string; 'Orders.Id': number }
  segments: 'Large Orders'
}

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(proof: Same<A, B>) => proof
type RowIn<P> = P extends Promise<{ readonly rows: readonly (infer R)[] }> ? R : never

/** Ten correct uses, with the types of their rows. */
export function right(shop: Client<Shop>, any: Client) {
  const one = shop.query({ select: { dimensions: ['Country'], measures: ['Revenue', 'Orders'] } })
  same<RowIn<typeof one>, { readonly Country: string | null; readonly Revenue: string | null; readonly Orders: number | null }>(
    true,
  )

  const two = shop.query({ select: { dimensions: ['Country', 'Is New'] } })
  same<RowIn<typeof two>, { readonly Country: string | null; readonly 'Is New': boolean | null }>(true)

  const three = shop.query({ select: { dimensions: ['Order Date:fiscal_quarter'], measures: ['Return Rate'] }, limit: 3 })
  same<RowIn<typeof three>, { readonly 'Order Date:fiscal_quarter': string | null; readonly 'Return Rate': number | null }>(true)

  const four = shop.query({ select: { dimensions: [{ expression: '{[Items]} * 2', as: 'Twice' }], measures: ['Orders'] } })
  same<RowIn<typeof four>, { readonly Twice: string | number | boolean | null; readonly Orders: number | null }>(true)

  const five = shop.query({ select: { fields: ['Orders.Amount', 'Orders.Id'] } })
  same<RowIn<typeof five>, { readonly 'Orders.Amount': string | null; readonly 'Orders.Id': number | null }>(true)

  const six = shop.query({
    select: { measures: ['Orders'] },
    where: [
      { logic: 'or', filters: [{ field: 'Country', op: 'in', value: ['FR', 'DE'] }, { segment: 'Large Orders' }] },
      { field: 'Order Date', op: 'relative', value: { unit: 'month', count: 3 } },
    ],
    having: [{ field: 'Orders', op: '>', value: 10 }],
    order_by: [{ field: 'Orders', direction: 'desc', nulls: 'last' }, { field: 1 }],
  })
  same<RowIn<typeof six>, { readonly Orders: number | null }>(true)

  const seven = shop.rows({ select: { measures: ['Orders'] } })
  same<typeof seven, AsyncGenerator<{ readonly Orders: number | null }>>(true)

  const eight = any.query({ select: { dimensions: ['Anything:month'], measures: ['At All'] } })
  same<
    RowIn<typeof eight>,
    { readonly 'Anything:month': string | number | boolean | null; readonly 'At All': string | number | boolean | null }
  >(true)

  const nine = shop.bytes({ select: { measures: ['Orders'] } }, 'arrow', { signal: AbortSignal.timeout(1) })
  same<typeof nine, Promise<ReadableStream<Uint8Array>>>(true)

  const ten = shop.values('Country', { search: 'f', limit: 5 })
  return [one, two, three, four, five, six, seven, eight, nine, ten]
}

/** Ten incorrect uses. */
export function wrong(shop: Client<Shop>) {
  return [
    // @ts-expect-error a dimension that the model does not have
    shop.query({ select: { dimensions: ['Contry'] } }),
    // @ts-expect-error a measure that the model does not have
    shop.query({ select: { measures: ['Revenu'] } }),
    // @ts-expect-error a measure is not a dimension
    shop.query({ select: { dimensions: ['Revenue'] } }),
    // @ts-expect-error a grain that the model does not have
    shop.query({ select: { dimensions: ['Order Date:week'] } }),
    // @ts-expect-error a grain on a dimension that is no time
    shop.query({ select: { dimensions: ['Country:month'] } }),
    // @ts-expect-error a filter on a field that the model does not have
    shop.query({ select: { measures: ['Orders'] }, where: [{ field: 'Region', op: '=', value: 'x' }] }),
    // @ts-expect-error an operator that does not exist
    shop.query({ select: { measures: ['Orders'] }, where: [{ field: 'Country', op: 'is', value: 'x' }] }),
    // @ts-expect-error a direction that does not exist
    shop.query({ select: { measures: ['Orders'] }, order_by: [{ field: 'Orders', direction: 'down' }] }),
    // @ts-expect-error a key that questions do not have
    shop.query({ select: { measures: ['Orders'] }, limits: 5 }),
    // @ts-expect-error a column of the answer that was not asked for
    shop.query({ select: { measures: ['Orders'] } }).then(({ rows }) => rows[0]?.Revenue),
    // @ts-expect-error a decimal is text and cannot be subtracted
    shop.query({ select: { measures: ['Revenue'] } }).then(({ rows }) => (rows[0]?.Revenue ?? 0) - 1),
    // @ts-expect-error a segment that the model does not have
    shop.query({ select: { measures: ['Orders'] }, where: [{ segment: 'Small Orders' }] }),
  ]
}
