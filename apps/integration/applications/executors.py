"""Has more and fewer executors, and other ones for one stage: prints what came of each."""

import time

from pyspark.resource import ExecutorResourceRequests, ResourceProfileBuilder, TaskResourceRequests
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
sc = spark.sparkContext


def executors():
    return sc._jsc.sc().getExecutorMemoryStatus().size() - 1


def wait_until(holds):
    end = time.time() + 90
    while not holds() and time.time() < end:
        time.sleep(0.2)


def slowly(number):
    time.sleep(1)
    return number


# Work for many executors, and then for none.
print("SUM", sc.parallelize(range(12), 12).map(slowly).sum(), flush=True)
print("MORE THAN ONE", executors() > 1, flush=True)
wait_until(lambda: executors() <= 1)
print("LEAST", executors(), flush=True)

# One stage on its own executors.
requests = ExecutorResourceRequests().cores(1).memory("600m")
tasks = TaskResourceRequests().cpus(1)
profile = ResourceProfileBuilder().require(requests).require(tasks).build
print("PROFILE", sc.parallelize(range(4), 2).withResources(profile).map(lambda n: n * n).sum(), flush=True)
spark.stop()
