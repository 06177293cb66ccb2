import type { DataType, Schema } from 'apache-arrow'
import { type FlightDescriptor, flightData } from '../flight-messages.js'
import { batchParts, schemaParts } from '../ipc-messages.js'

export type ParameterValue = string | number | bigint | boolean | Date | null

/** One row of values as the messages of `DoPut`: the schema with the descriptor, then the row. */
export async function parameterBatch(
  flightDescriptor: FlightDescriptor,
  schema: Schema,
  values: readonly ParameterValue[],
): Promise<Buffer[]> {
  const arrow = await import('apache-arrow')
  const fields = values.map((_, i) => schema.fields[i] ?? new arrow.Field(`$${i + 1}`, new arrow.Utf8() as DataType, true))
  const children = values.map((value, i) => arrow.vectorFromArray([value], fields[i]!.type).data[0]!)
  const bound = new arrow.Schema(fields)
  const row = arrow.makeData({ type: new arrow.Struct(fields), length: 1, nullCount: 0, children })
  const { header, body } = await batchParts(new arrow.RecordBatch(bound, row))
  return [
    flightData.encode({ flightDescriptor, dataHeader: (await schemaParts(bound)).header }),
    flightData.encode({ dataHeader: header, dataBody: body }),
  ]
}
