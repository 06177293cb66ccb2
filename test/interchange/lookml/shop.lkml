connection: "warehouse"
include: "/views/*.view.lkml"

# Each order is one row.
view: orders {
  sql_table_name: shop.main.orders ;;
  label: "Purchases"
  view_label: "Sold things"

  dimension: id { primary_key: yes type: number sql: ${TABLE}.order_id ;; hidden: yes }
  dimension: customer_id { type: number hidden: yes }
  dimension: channel { sql: ${TABLE}.channel ;; label: "Way of sale" description: "Where it was sold" }
  dimension: amount { type: number sql: ${TABLE}.amount ;; hidden: yes }
  dimension: is_large { type: yesno sql: ${amount} >= 100 ;; }
  dimension: size {
    case: {
      when: { sql: ${is_large} ;; label: "it's large" }
      when: { sql: ${TABLE}.amount IS NULL ;; label: "unknown" }
      else: "small"
    }
  }
  dimension: tier { type: tier tiers: [10, 100] style: integer sql: ${amount} ;; }
  dimension: price_bin { type: bin bins: [10, 100] style: interval sql: ${amount} ;; }
  dimension: buyer { sql: ${customers.name} || '/' || COALESCE(${channel}, '-') ;; }
  dimension_group: ordered {
    type: time
    timeframes: [raw, date, month, month_name, day_of_week, quarter_of_year, day_of_year, year]
    convert_tz: no
    sql: ${TABLE}.ordered_on ;;
  }
  dimension_group: waited { type: duration intervals: [day, month] sql_start: ${TABLE}.ordered_on ;; sql_end: CAST('2026-06-01' AS TIMESTAMP) ;; label: "Waited" }
  dimension: big_month { sql: CASE WHEN ${ordered_month} = DATE '2026-01-01' THEN 'first' ELSE 'later' END ;; }

  measure: count { type: count drill_fields: [detail*] }
  measure: long_ago { type: count filters: [days_waited: ">=100"] }
  measure: revenue { type: sum sql: ${amount} ;; value_format_name: decimal_2 description: "In euros" }
  measure: smallest { type: min sql: ${amount} ;; }
  measure: usual { type: average sql: ${TABLE}.amount ;; value_format_name: usd }
  measure: middle { type: median sql: ${amount} ;; }
  measure: most { type: percentile percentile: 75 sql: ${amount} ;; }
  measure: buyers { type: count_distinct sql: ${customer_id} ;; }
  measure: web_revenue {
    type: sum
    sql: ${amount} ;;
    filters: [channel: "web", customers.region: "north"]
  }
  measure: not_web { type: count filters: { field: channel value: "-web" } }
  measure: some_amounts { type: count filters: [amount: ">=30 AND <200, 7.25"] }
  measure: after_january { type: count filters: [ordered_date: "after 2026-02-01", is_large: "no"] }
  measure: average_order { type: number sql: 1.0 * ${revenue} / NULLIF(${count}, 0) ;; }
  measure: web_share { type: number sql: ${web_revenue} / ${orders.revenue} * 100 ;; value_format: "0.0%" }
  measure: spread { type: number sql: MAX(${amount}) - MIN(${TABLE}.amount) ;; }
  measure: latest { type: date sql: MAX(${ordered_raw}) ;; }
  measure: share { type: percent_of_total sql: ${revenue} ;; }

  measure: revenue_before { type: period_over_period based_on: revenue based_on_time: ordered_month period: month kind: previous }
  measure: count_change { type: period_over_period based_on: orders.count based_on_time: orders.ordered_year period: month kind: difference }
  measure: revenue_growth { type: period_over_period based_on: revenue based_on_time: ordered_month period: month kind: relative_change }
  measure: revenue_so_far { type: period_over_period based_on: revenue based_on_time: ordered_date period: year value_to_date: yes }

  set: detail { fields: [id, channel, count] }
}

view: customers {
  derived_table: { sql: SELECT * FROM shop.main.customers ;; }
  dimension: id { primary_key: yes type: number sql: ${TABLE}.customer_id ;; }
  dimension: name { sql: ${TABLE}.customer_name ;; }
  dimension: region { link: { label: "Map" url: "https://example.com/{{ value }}" } }
  dimension: city { sql: ${TABLE}."City" ;; }
  measure: count { type: count }
  measure: orders_lines { type: sum_distinct sql_distinct_key: ${lines.id} ;; sql: ${lines.quantity} ;; }
}

view: base_line {
  extension: required
  dimension: id { primary_key: yes type: number sql: ${TABLE}.line_id ;; }
  measure: pieces { type: sum sql: ${TABLE}.quantity ;; description: "Pieces" }
}

view: lines {
  extends: [base_line]
  sql_table_name: "shop".main.lines ;;
  dimension: order_id { type: number hidden: yes }
  dimension: product {}
  dimension: quantity_sold { type: number sql: ${TABLE}.quantity ;; }
  dimension: quantity { type: number sql: ${TABLE}.quantity ;; hidden: yes }
  measure: quantity_total { type: sum sql: ${quantity} ;; }
}

view: +lines {
  measure: quantity_total { label: "All pieces" }
}

explore: orders {
  description: "What customers buy"
  join: customers {
    relationship: many_to_one
    sql_on: ${orders.customer_id} = ${customers.id} ;;
  }
  join: lines {
    relationship: one_to_many
    sql_on: ${lines.order_id} = ${orders.id} ;;
    fields: [lines.product, quantity_total]
  }
}

explore: web_orders {
  view_name: orders
  fields: [ALL_FIELDS*, -orders.buyer, -orders.detail*]
  sql_always_where: ${orders.channel} = 'web' ;;
  join: receiver { from: customers foreign_key: customer_id }
}
