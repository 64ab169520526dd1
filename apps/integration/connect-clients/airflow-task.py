"""Runs one task with @task.pyspark as a worker does, without a scheduler and its database.

The connection comes by AIRFLOW_CONN_SPARK_CONNECT_DEFAULT.
"""
from airflow.sdk import DAG, task

with DAG("totals"):

    @task.pyspark(conn_id="spark_connect_default")
    def total(rows, spark):
        return spark.range(rows).selectExpr("sum(id)").first()[0]

    result = total(1000)

print("TOTAL", result.operator.execute({}))
