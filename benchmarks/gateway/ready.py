"""Prints the time when both of its executors have registered, in milliseconds since the epoch."""

import time

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
while spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() < 3:
    time.sleep(0.01)
print("READY", int(time.time() * 1000), flush=True)
spark.stop()
