"""Starts Spark and waits to be killed, or for so many seconds as it is told."""
import sys
import time

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
print("READY", spark.version, flush=True)
time.sleep(float(sys.argv[1]) if len(sys.argv) > 1 else 600)
spark.stop()
