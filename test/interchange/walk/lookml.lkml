connection: "chinook"

view: invoices {
  sql_table_name: main.invoice ;;
  dimension: invoice_id { primary_key: yes type: number sql: ${TABLE}.invoice_id ;; }
  dimension: customer_id { type: string hidden: yes sql: ${TABLE}.customer_id ;; }
  dimension: billing_country { map_layer_name: countries }
  dimension: total { type: number hidden: yes sql: ${TABLE}.total ;; }
  dimension: is_large { type: yesno sql: ${total} >= 10 ;; }
  dimension: total_tier { type: tier tiers: [2, 5, 10] style: integer sql: ${total} ;; }
  dimension_group: invoiced {
    type: time
    timeframes: [raw, date, week, month, quarter, year, day_of_week, month_name]
    convert_tz: no
    sql: ${TABLE}.invoice_date ;;
  }
  measure: count { type: count drill_fields: [invoice_id] }
  measure: revenue { type: sum sql: ${total} ;; value_format_name: usd }
  measure: average_invoice { type: average sql: ${total} ;; }
  measure: median_invoice { type: median sql: ${total} ;; }
  measure: buyers { type: count_distinct sql: ${customer_id} ;; }
  measure: large_revenue { type: sum sql: ${total} ;; filters: [is_large: "yes"] }
  measure: large_share { type: number sql: 1.0 * ${large_revenue} / NULLIF(${revenue}, 0) ;; value_format_name: percent_1 }
  measure: share { type: percent_of_total sql: ${revenue} ;; }
  measure: revenue_before { type: period_over_period based_on: revenue based_on_time: invoiced_month period: year kind: previous }
  measure: revenue_growth { type: period_over_period based_on: revenue based_on_time: invoiced_month period: month kind: relative_change }
}

view: lines {
  sql_table_name: main.invoice_line ;;
  dimension: id { primary_key: yes type: number sql: ${TABLE}.invoice_line_id ;; }
  dimension: invoice_id { type: number hidden: yes }
  dimension: track_id { type: number hidden: yes }
  measure: units { type: sum sql: ${TABLE}.quantity ;; }
  measure: line_revenue { type: sum sql: ${TABLE}.unit_price * ${TABLE}.quantity ;; }
}

view: tracks {
  sql_table_name: main.track ;;
  dimension: track_id { primary_key: yes type: number }
  dimension: genre_id { type: number hidden: yes }
}

view: genres {
  sql_table_name: main.genre ;;
  dimension: genre_id { primary_key: yes type: number }
  dimension: name {}
}

view: customers {
  sql_table_name: main.customer ;;
  dimension: customer_id { primary_key: yes type: string }
  dimension: country {}
  measure: count { type: count }
}

explore: invoices {
  join: customers { relationship: many_to_one sql_on: ${invoices.customer_id} = ${customers.customer_id} ;; }
  join: lines { relationship: one_to_many sql_on: ${lines.invoice_id} = ${invoices.invoice_id} ;; }
  join: tracks { relationship: many_to_one sql_on: ${lines.track_id} = ${tracks.track_id} ;; }
  join: genres { relationship: many_to_one sql_on: ${tracks.genre_id} = ${genres.genre_id} ;; }
}
