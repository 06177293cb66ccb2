CREATE SEMANTIC VIEW p28_analytics AS
  TABLES (
    o AS p28_orders PRIMARY KEY (id),
    c AS p28_customers PRIMARY KEY (id),
    p AS p28_products PRIMARY KEY (id)
  )
  RELATIONSHIPS (
    order_to_customer AS o(customer_id) REFERENCES c,
    order_to_product AS o(product_id) REFERENCES p
  )
  DIMENSIONS (
    c.customer_name AS c.name,
    p.product_name AS p.name,
    o.region AS o.region,
    c.tier AS c.tier
  )
  METRICS (
    o.total_revenue AS sum(o.amount),
    o.order_count AS count(*)
  );
