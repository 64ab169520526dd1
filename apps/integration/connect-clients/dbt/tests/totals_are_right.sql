select * from {{ ref("customers") }} where customer = 'anne' and total <> 25
