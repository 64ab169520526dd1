"""Shuffles, and then works with what was shuffled: prints the result, and how many tasks ran for it. Arguments: tasks that write,
tasks that read, seconds of each task that reads."""

import sys
import time

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
sc = spark.sparkContext
writers, readers, seconds = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
ran = sc.accumulator(0)


def written(number):
    ran.add(1)
    for reader in range(readers):
        yield reader, (number, b"x" * 4096)


def summed(pairs):
    ran.add(1)
    total = sum(number for _, (number, _) in pairs)
    time.sleep(seconds)
    yield total


shuffled = sc.parallelize(range(writers), writers).flatMap(written).partitionBy(readers, lambda key: key)
print("SHUFFLED", shuffled.count(), flush=True)
print("SUM", shuffled.mapPartitions(summed).sum(), flush=True)
print("TASKS", ran.value, flush=True)
spark.stop()
