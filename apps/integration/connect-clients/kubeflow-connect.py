"""Connects with kubeflow's SDK to the address in SPARK_REMOTE."""
import os

from kubeflow.spark import SparkClient

spark = SparkClient().connect(base_url=os.environ["SPARK_REMOTE"])
print("TOTAL", spark.range(1000).selectExpr("sum(id)").first()[0])
