/**
 * Two times in one expression, where the clocks of New York showed an hour twice (2024-11-03: 01:00 is 05:00 and 06:00 in UTC) and skipped
 * one (2024-03-10: 07:00 in UTC is 03:00). All expected values are computed by hand, from the instants.
 */
import { parseModelSync } from '@grainline/core/unstable'
import type { Cell } from '../support/answers.js'

const at = (moment: string) => `TIMESTAMP WITH TIME ZONE '${moment}:00+00'`

export const hopTables = (): string => `
  CREATE TABLE hops (id BIGINT, "left" TIMESTAMP WITH TIME ZONE, landed TIMESTAMP WITH TIME ZONE);
  INSERT INTO hops VALUES
    (1, ${at('2024-11-03 05:45')}, ${at('2024-11-03 06:15')}), (2, ${at('2024-11-03 05:30')}, ${at('2024-11-03 06:30')}),
    (3, ${at('2024-11-03 04:30')}, ${at('2024-11-03 07:30')}), (4, ${at('2024-03-10 06:30')}, ${at('2024-03-10 07:30')}),
    (5, ${at('2024-07-01 12:05')}, ${at('2024-07-01 11:50')}), (6, ${at('2024-07-01 15:00')}, NULL),
    (7, ${at('2024-11-03 06:10')}, ${at('2024-11-03 06:10')}), (8, ${at('2024-11-03 04:00')}, ${at('2024-11-03 05:00')}),
    (9, ${at('2024-04-06 14:45')}, ${at('2024-04-06 15:45')})`

/** The columns are instants: declared as such, or as local times of `defaultTimezone`. */
export function hopModel(declared: 'timestamp' | 'timestamp_tz', expression?: string) {
  const moment = (code: string) => ({ code, abstractType: declared, sqlType: 'timestamptz' })
  const { model, errors } = parseModelSync({
    json: {
      settings: { defaultTimezone: 'America/New_York', queryTimezone: 'America/New_York' },
      dataObjects: {
        Hops: {
          code: 'hops',
          columns: {
            Id: { code: 'id', abstractType: 'int', primaryKey: true },
            Left: moment('left'),
            Landed: moment('landed'),
            ...(expression && { Computed: { expression } }),
          },
        },
      },
      dimensions: {
        Id: { dataObject: 'Hops', column: 'Id' },
        Left: { dataObject: 'Hops', column: 'Left' },
        Landed: { dataObject: 'Hops', column: 'Landed' },
      },
    },
  })
  if (!model) throw new Error(JSON.stringify(errors))
  return model
}

/** The value of an expression at each hop that has one. Timestamps are local times, without the date on the day of the change. */
export interface HopCase {
  readonly expression: string
  readonly timezone?: string
  readonly truth: Readonly<Record<number, Cell>>
}

const [LEFT, LANDED] = ['{[Left]}', '{[Landed]}']
const NOVEMBER = '2024-11-03'

/** The numbers of the hops at which the condition is true. */
export const hopConditions: readonly { readonly condition: string; readonly ids: readonly number[] }[] = [
  { condition: `${LANDED} > ${LEFT}`, ids: [1, 2, 3, 4, 8, 9] },
  { condition: `${LANDED} = ${LEFT}`, ids: [7] },
  { condition: `${LANDED} <> ${LEFT}`, ids: [1, 2, 3, 4, 5, 8, 9] },
  { condition: `${LANDED} < ${LEFT}`, ids: [5] },
  { condition: `${LANDED} between ${LEFT} and ${LANDED}`, ids: [1, 2, 3, 4, 7, 8, 9] },
  { condition: `${LEFT} in (${LANDED})`, ids: [7] },
  { condition: `${LEFT} not in (${LANDED}, ${LANDED})`, ids: [1, 2, 3, 4, 5, 8, 9] },
  { condition: `nullif(${LEFT}, ${LANDED}) is null`, ids: [7] },
  { condition: `greatest(${LEFT}, ${LANDED}) = ${LANDED}`, ids: [1, 2, 3, 4, 7, 8, 9] },
  { condition: `least(${LEFT}, ${LANDED}) = ${LANDED}`, ids: [5, 7] },
  { condition: `case when {[Id]} < 3 then ${LANDED} else ${LEFT} end > ${LEFT}`, ids: [1, 2] },
  { condition: `case ${LEFT} when ${LANDED} then true else false end`, ids: [7] },
  { condition: `coalesce(${LANDED}, ${LEFT}) > ${LEFT}`, ids: [1, 2, 3, 4, 8, 9] },
  { condition: `${LANDED} >= date_add('hour', 1, ${LEFT})`, ids: [2, 3, 4, 8, 9] },
  { condition: `date_add('minute', -30, ${LANDED}) = ${LEFT}`, ids: [1] },
  { condition: `date_diff('minute', ${LEFT}, ${LANDED}) between 1 and 60`, ids: [1, 2, 4, 8, 9] },
]

const later = {
  1: '01:15',
  2: '01:30',
  3: '02:30',
  4: '2024-03-10 03:30',
  5: '2024-07-01 08:05',
  7: '01:10',
  8: '01:00',
  9: '2024-04-06 11:45',
}
const earlier = {
  1: '01:45',
  2: '01:30',
  3: '00:30',
  4: '2024-03-10 01:30',
  5: '2024-07-01 07:50',
  7: '01:10',
  8: '00:00',
  9: '2024-04-06 10:45',
}

export const hopValues: readonly HopCase[] = [
  { expression: `greatest(${LEFT}, ${LANDED})`, truth: moments(later) },
  { expression: `least(${LEFT}, ${LANDED})`, truth: moments(earlier) },
  {
    expression: `nullif(${LEFT}, ${LANDED})`,
    truth: moments({
      1: '01:45',
      2: '01:30',
      3: '00:30',
      4: '2024-03-10 01:30',
      5: '2024-07-01 08:05',
      6: '2024-07-01 11:00',
      8: '00:00',
      9: '2024-04-06 10:45',
    }),
  },
  {
    expression: `date_add('hour', 1, ${LEFT})`,
    truth: moments({
      ...{ 1: '01:45', 2: '01:30', 3: '01:30', 4: '2024-03-10 03:30' },
      ...{ 5: '2024-07-01 09:05', 6: '2024-07-01 12:00', 7: '02:10', 8: '01:00', 9: '2024-04-06 11:45' },
    }),
  },
  // A day is a calendar day, whatever its length.
  {
    expression: `date_add('day', 1, ${LEFT})`,
    truth: moments({
      ...{ 1: '2024-11-04 01:45', 2: '2024-11-04 01:30', 3: '2024-11-04 00:30', 4: '2024-03-11 01:30' },
      ...{ 5: '2024-07-02 08:05', 6: '2024-07-02 11:00', 7: '2024-11-04 01:10', 8: '2024-11-04 00:00', 9: '2024-04-07 10:45' },
    }),
  },
  {
    expression: `date_diff('second', ${LEFT}, ${LANDED})`,
    truth: { 1: '1800', 2: '3600', 3: '10800', 4: '3600', 5: '-900', 7: '0', 8: '3600', 9: '3600' },
  },
  {
    expression: `date_diff('minute', ${LEFT}, ${LANDED})`,
    truth: { 1: '30', 2: '60', 3: '180', 4: '60', 5: '-15', 7: '0', 8: '60', 9: '60' },
  },
  {
    expression: `date_diff('hour', ${LEFT}, ${LANDED})`,
    truth: { 1: '1', 2: '1', 3: '3', 4: '1', 5: '-1', 7: '0', 8: '1', 9: '1' },
  },
  {
    expression: `date_diff('day', ${LEFT}, ${LANDED})`,
    truth: { 1: '0', 2: '0', 3: '0', 4: '0', 5: '0', 7: '0', 8: '0', 9: '0' },
  },
]

/** Hours begin when the clocks of the zone show a full hour. */
export const hopHours: readonly HopCase[] = [
  // 11:15 and 11:45, 11:00 and 12:00, 10:00 and 13:00, 12:00 and 13:00, 17:35 and 17:20, 11:40, 9:30 and 10:30, 20:15 and 21:15.
  inHours('Asia/Kolkata', { 1: '0', 2: '1', 3: '3', 4: '1', 5: '0', 7: '0', 8: '1', 9: '1' }),
  // 11:30 and 12:00, 11:15 and 12:15, 10:15 and 13:15, 12:15 and 13:15, 17:50 and 17:35, 11:55, 9:45 and 10:45, 20:30 and 21:30.
  inHours('Asia/Kathmandu', { 1: '1', 2: '1', 3: '3', 4: '1', 5: '0', 7: '0', 8: '1', 9: '1' }),
  // 2:15 and 2:45, 2:00 and 3:00, the second 1:00 and 4:00, 4:00 and 5:00, 9:35 and 9:20, 2:40, twice 1:30, 12:15 and 13:15.
  inHours('America/St_Johns', { 1: '0', 2: '1', 3: '3', 4: '1', 5: '0', 7: '0', 8: '1', 9: '1' }),
  // 16:45 and 17:15, 16:30 and 17:30, 15:30 and 18:30, 17:30 and 18:30, 22:35 and 22:20, 17:10, 15:00 and 16:00, and 1:45 and 2:15, which are an hour apart.
  inHours('Australia/Lord_Howe', { 1: '1', 2: '1', 3: '3', 4: '1', 5: '0', 7: '0', 8: '1', 9: '1' }),
]

function inHours(timezone: string, truth: HopCase['truth']): HopCase {
  return { timezone, expression: `date_diff('hour', ${LEFT}, ${LANDED})`, truth }
}

/** A short period is in the night in which clocks were set back. */
function moments(short: Readonly<Record<number, string>>): Readonly<Record<number, Cell>> {
  return Object.fromEntries(
    Object.entries(short).map(([id, text]) => [id, `${text.length === 5 ? `${NOVEMBER} ${text}` : text}:00`]),
  )
}
