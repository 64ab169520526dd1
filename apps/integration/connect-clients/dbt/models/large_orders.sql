{{ config(materialized="view") }}
select * from {{ ref("orders") }} where amount >= 10
