/** The questions that docs/page-beside-explorers.md asks of this page and of three others, as states of this page. */
export const SAME_QUESTIONS = {
  pivot: {
    asks: 'Flights by airline and airport of origin, with totals',
    state: { tab: 'pivot', query: { select: { dimensions: ['Airline', 'Origin Code'], measures: ['Flight Count'] } } },
  },
  line: {
    asks: 'Flights by month, a line for each airport of origin',
    state: { tab: 'chart', query: { select: { dimensions: ['Month', 'Origin Code'], measures: ['Flight Count'] } } },
  },
  top: {
    asks: 'The ten destinations with most flights, and all others',
    state: {
      tab: 'chart',
      query: {
        select: { dimensions: ['Destination Airport'], measures: ['Flight Count'] },
        top: { dimension: 'Destination Airport', by: 'Flight Count', n: 10, others: 'Others' },
      },
    },
  },
  table: {
    asks: 'Flights, delay and late rate of each airline',
    state: {
      tab: 'table',
      query: {
        select: { dimensions: ['Airline'], measures: ['Flight Count', 'Average Departure Delay', 'Late Rate'] },
        order_by: [{ field: 'Flight Count', direction: 'desc' }],
      },
    },
  },
} as const

/** What the page holds when the answer is drawn in this form. */
export const FORMS_READY = {
  pivot: "document.querySelector('.pivot td, table td') && !document.querySelector('[aria-label=Running], [aria-label=Loading]')",
  chart: "document.querySelector('.chart svg') && !document.querySelector('[aria-label=Running], [aria-label=Loading]')",
  table: "document.querySelector('[role=gridcell]') && !document.querySelector('[aria-label=Running]')",
} as const
