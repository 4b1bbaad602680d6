-- Customers who bought in each of the last three months.
SELECT customer_id, count(DISTINCT strftime('%Y-%m', ordered_at)) AS months
FROM orders
WHERE ordered_at >= date('now', 'start of month', '-2 months')
GROUP BY customer_id
HAVING months = 3
ORDER BY customer_id;

-- Running balance per account, oldest booking first.
SELECT account_id, booked_on, amount_cents,
       sum(amount_cents) OVER (PARTITION BY account_id ORDER BY booked_on, booking_id) AS balance_cents
FROM bookings;

-- Rows of order_items whose order is gone: the foreign key was added in 2023, these are older.
DELETE FROM order_items
WHERE NOT EXISTS (SELECT 1 FROM orders WHERE orders.order_id = order_items.order_id);
