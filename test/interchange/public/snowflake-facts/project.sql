CREATE SEMANTIC VIEW p29_analytics AS
  TABLES (
    o AS p29_orders PRIMARY KEY (id),
    li AS p29_line_items PRIMARY KEY (id),
    c AS p29_customers PRIMARY KEY (id)
  )
  RELATIONSHIPS (
    li_to_order AS li(order_id) REFERENCES o,
    order_to_customer AS o(customer_id) REFERENCES c
  )
  FACTS (
    li.net_price AS li.extended_price * (1 - li.discount),
    li.tax_amount AS li.net_price * li.tax_rate
  )
  DIMENSIONS (
    o.region AS o.region,
    c.country AS c.country,
    c.state AS c.state,
    c.city AS c.city
  )
  METRICS (
    li.total_net AS SUM(li.net_price),
    li.total_tax AS SUM(li.tax_amount)
  );
