{{ config(materialized="table") }}
select customer, sum(amount) as total from {{ ref("large_orders") }} group by customer
