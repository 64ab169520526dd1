"""Starts Spark and waits to be killed."""
import time

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
print("READY", spark.version, flush=True)
time.sleep(600)
