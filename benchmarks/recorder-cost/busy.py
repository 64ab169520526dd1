"""An application whose executors compute, in tasks of a fifth of a second."""

import sys
import time

from pyspark.sql import SparkSession

SECONDS, EXECUTORS = int(sys.argv[1]), int(sys.argv[2])
TASK_SECONDS = 0.2


def compute(number):
    until = time.time() + TASK_SECONDS
    while time.time() < until:
        number = number * 31 % 65537
    return number


context = SparkSession.builder.getOrCreate().sparkContext
tasks = int(SECONDS * EXECUTORS / TASK_SECONDS)
context.parallelize(range(tasks), tasks).map(compute).sum()
