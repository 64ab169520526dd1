"""Runs two tasks as a worker does, without a scheduler and its database: airflow-tasks.py PIPELINE.

The connection comes by AIRFLOW_CONN_SPARK_CONNECT_DEFAULT.
"""
import sys

from airflow.providers.apache.spark.operators.spark_pipelines import SparkPipelinesOperator
from airflow.sdk import DAG, task

CONNECTION = "spark_connect_default"

with DAG("totals"):

    @task.pyspark(conn_id=CONNECTION)
    def total(rows, spark):
        return spark.range(rows).selectExpr("sum(id)").first()[0]

    result = total(1000)
    pipeline = SparkPipelinesOperator(task_id="pipeline", pipeline_spec=sys.argv[1], conn_id=CONNECTION)

print("TOTAL", result.operator.execute({}))
pipeline.execute({})
print("PIPELINE succeeded")
