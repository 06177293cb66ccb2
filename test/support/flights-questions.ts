/** Queries on the flights, of every type in their model. */
export const QUESTIONS: readonly object[] = [
  { select: { dimensions: ['Airline'], measures: ['Flight Count', 'Late Flights'] }, order_by: [{ field: 'Airline' }] },
  {
    select: { dimensions: ['Month', 'Distance Band'], measures: ['Average Departure Delay', 'Distance Flown'] },
    order_by: [{ field: 1 }, { field: 2 }],
  },
  {
    select: { dimensions: ['Scheduled At', 'Scheduled Local', 'Destination Code'], measures: ['Flight Count'] },
    where: [{ field: 'Tail Number', op: '=', value: 'N14228' }],
    order_by: [{ field: 1 }],
    limit: 40,
  },
  { select: { measures: ['Median Arrival Delay', 'Planes Flown', 'Rainfall', 'Strongest Gust'] } },
  { select: { dimensions: ['Year Built'], measures: ['Flight Count'] }, order_by: [{ field: 'Year Built' }] },
]
