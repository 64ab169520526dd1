"""Has more and fewer executors, other ones for one stage, and loses one: prints what came of each."""

import os
import signal
import time

from pyspark import TaskContext
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

# One stage on executors of its own.
requests = ExecutorResourceRequests().cores(1).memory("600m")
tasks = TaskResourceRequests().cpus(1)
profile = ResourceProfileBuilder().require(requests).require(tasks).build
print("PROFILE", sc.parallelize(range(4), 2).withResources(profile).map(lambda n: n * n).sum(), flush=True)


def kill_once(number):
    """Kills the JVM of the executor, the first time."""
    if number == 0 and TaskContext.get().attemptNumber() == 0:
        os.kill(jvm(), signal.SIGKILL)
        time.sleep(30)
    return number


def jvm():
    """The Java process that has started the one that runs this."""
    pid = os.getpid()
    while True:
        with open(f"/proc/{pid}/stat") as stat:
            name, rest = stat.read().rsplit(")", 1)
        if name.endswith("(java"):
            return pid
        pid = int(rest.split()[1])


print("LOST", sc.parallelize(range(8), 4).map(kill_once).sum(), flush=True)
spark.stop()
