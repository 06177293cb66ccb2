-- The view of shop.yaml as a statement.
CREATE OR REPLACE SEMANTIC VIEW analytics.shop
  TABLES (
    customers AS shop.main.customers PRIMARY KEY (customer_id) COMMENT = 'Who buys, and doesn''t',
    orders AS shop.main.orders PRIMARY KEY (order_id) WITH SYNONYMS = ('purchases'),
    balances AS shop.main.balances PRIMARY KEY (account, day),
    addresses AS shop.main.addresses PRIMARY KEY (customer_id, since),
    prices AS shop.main.prices PRIMARY KEY (channel, valid_from)
      CONSTRAINT periods DISTINCT RANGE BETWEEN valid_from AND valid_to EXCLUSIVE
  )
  RELATIONSHIPS (
    orders_to_customers AS orders (customer_id) REFERENCES customers,
    orders_to_addresses AS orders (customer_id, ordered_on) REFERENCES addresses (customer_id, ASOF since),
    orders_to_prices AS orders (channel, ordered_on) REFERENCES prices (channel, BETWEEN valid_from AND valid_to EXCLUSIVE)
  )
  FACTS (
    orders.amount AS amount COMMENT = 'In euros',
    PRIVATE orders.cost AS orders.unit_cost * quantity,
    balances.balance AS balance
  )
  DIMENSIONS (
    customers.region AS region WITH SYNONYMS ('area', 'part') COMMENT = 'Where they live',
    customers.name AS customer_name,
    orders.size AS IFF(amount >= 100, 'large', 'small'),
    orders.name AS customers.name || ' ' || channel,
    orders.ordered_on AS ordered_on,
    balances.account AS account,
    balances.day AS day,
    addresses.city AS city,
    prices.season AS season
  )
  METRICS (
    customers.customer_count AS COUNT(customer_id),
    orders.revenue AS SUM(amount) WITH SYNONYMS ('sales'),
    orders.order_count USING (orders_to_customers) AS COUNT(*), /* all of them */
    orders.buyers AS COUNT(DISTINCT orders.customer_id),
    orders.middle AS PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY amount),
    orders.margin AS DIV0(SUM(amount) - SUM(cost), SUM(amount)),
    PRIVATE orders.average_order AS revenue / order_count,
    orders.north_revenue AS SUM(CASE WHEN customers.region = 'north' THEN amount END),
    balances.total_balance NON ADDITIVE BY (day ASC NULLS FIRST) AS SUM(balance),
    balances.opening_balance NON ADDITIVE BY (balances.day DESC NULLS FIRST) AS SUM(balance),
    revenue_per_customer AS orders.revenue / customers.customer_count
  )
  COMMENT = 'Orders and returns of a shop'
  COPY GRANTS;
