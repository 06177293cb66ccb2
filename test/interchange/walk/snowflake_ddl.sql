CREATE OR REPLACE SEMANTIC VIEW snowflake_ddl
  TABLES (
    invoices AS main."invoice" PRIMARY KEY ("invoice_id") COMMENT = 'One row for each invoice',
    lines AS main."invoice_line" PRIMARY KEY ("invoice_line_id"),
    tracks AS main."track" PRIMARY KEY ("track_id"),
    genres AS main."genre" PRIMARY KEY ("genre_id"),
    customers AS main."customer" PRIMARY KEY ("customer_id")
  )
  RELATIONSHIPS (
    line_of_invoice AS lines ("invoice_id") REFERENCES invoices,
    line_of_track AS lines ("track_id") REFERENCES tracks,
    track_of_genre AS tracks ("genre_id") REFERENCES genres,
    invoice_of_customer AS invoices ("customer_id") REFERENCES customers
  )
  FACTS (
    lines.line_value AS "unit_price" * "quantity"
  )
  DIMENSIONS (
    invoices.billing_country AS "billing_country" WITH SYNONYMS = ('place of the bill'),
    invoices.invoice_date AS "invoice_date",
    invoices.invoice_year AS YEAR("invoice_date"),
    invoices.invoice_quarter AS DATE_PART('quarter', "invoice_date"),
    invoices.first_of_month AS DATE_TRUNC(MONTH, invoice_date),
    invoices.months_ago AS DATEDIFF('month', "invoice_date", DATE '2025-12-31'),
    genres.genre AS "name",
    customers.country AS "country"
  )
  METRICS (
    invoices.revenue AS SUM("total"),
    invoices.invoice_count AS COUNT("invoice_id"),
    invoices.average_invoice AS AVG("total"),
    lines.line_revenue AS SUM(line_value),
    lines.units AS SUM("quantity"),
    invoices.last_revenue NON ADDITIVE BY (invoice_date ASC NULLS FIRST) AS SUM("total"),
    units_per_invoice AS lines.units / invoices.invoice_count
  )
  COMMENT = 'Invoices of a music shop';
