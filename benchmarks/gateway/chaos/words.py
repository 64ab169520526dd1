"""Counts numbers by their remainders, slowly: words.py SEED MEBIBYTES. Another task makes a text of this size in the heap of its
executor; without it, the executor of one task is killed. Prints the counts."""

import os
import random
import signal
import sys
import time

from pyspark import TaskContext
from pyspark.sql import SparkSession

TASKS = 24
memory = int(sys.argv[2])
unlucky = random.Random(int(sys.argv[1])).randrange(TASKS)
spark = SparkSession.builder.getOrCreate()


def jvm():
    """The id of the Java process that is an ancestor of this process."""
    pid = os.getpid()
    while True:
        with open(f"/proc/{pid}/stat") as stat:
            name, rest = stat.read().rsplit(")", 1)
        if name.endswith("(java"):
            return pid
        pid = int(rest.split()[1])


def slowly(number):
    time.sleep(1)
    if number == unlucky and memory == 0 and TaskContext.get().attemptNumber() == 0:
        os.kill(jvm(), signal.SIGKILL)
        time.sleep(30)
    return [(n % 7, 1) for n in range(number * 100, number * 100 + 100)]


counts = spark.sparkContext.parallelize(range(TASKS), TASKS).flatMap(slowly).reduceByKey(lambda a, b: a + b, 4)
if memory > 0:
    made = spark.range(1).selectExpr(f"length(repeat(cast(id + 1 AS string), {memory << 20})) AS n").first().n
    assert made == memory << 20, made
print("COUNTS", sorted(counts.collect()), flush=True)
spark.stop()
