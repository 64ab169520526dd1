"""Runs one task of Airflow's SparkSubmitOperator as a worker does, without a scheduler and its database.

Standard input holds the operator's arguments as JSON; the connection comes by AIRFLOW_CONN_SPARK_DEFAULT. SIGTERM kills the
task in the way of Airflow's task runner: its handler calls the operator's on_kill, and what runs goes on from there. The
last line says how the task ended.
"""
import json
import signal
import sys

from airflow.providers.apache.spark.operators.spark_submit import SparkSubmitOperator

operator = SparkSubmitOperator(task_id="submit", **json.load(sys.stdin))
signal.signal(signal.SIGTERM, lambda *_: operator.on_kill())
try:
    operator.execute({})
except Exception as error:
    print("TASK failed:", error)
else:
    print("TASK succeeded")
