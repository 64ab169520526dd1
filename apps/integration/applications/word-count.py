"""Counts the words of a text that the executors are given, and says how many executors took part."""
import sys
import time

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
context = spark.sparkContext
wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 2

# Executors come one after the other; the work waits until all are there.
deadline = time.time() + 120
while context._jsc.sc().getExecutorMemoryStatus().size() - 1 < wanted and time.time() < deadline:
    time.sleep(0.2)

with open(sys.argv[1]) as text:
    lines = text.read().splitlines()
counts = context.parallelize(lines, 4).flatMap(str.split).map(lambda word: (word.lower(), 1)).reduceByKey(lambda a, b: a + b)
for word, count in sorted(counts.collect()):
    print(f"COUNT {word} {count}")


def host(_):
    import os

    yield os.environ.get("SPARK_EXECUTOR_POD_NAME", os.environ.get("HOSTNAME", ""))


print("EXECUTORS", len(set(context.parallelize(range(16), 16).mapPartitions(host).collect())))
spark.stop()
