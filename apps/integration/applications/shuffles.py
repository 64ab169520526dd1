"""Needs the shuffle files of executors that are gone: those that were idle, and one that was killed in the middle of a reduce."""

import json
import os
import signal
import socket
import time
import urllib.request

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
sc = spark.sparkContext
MAPS = 4


def jvm():
    """The Java process that has started the one that runs this."""
    pid = os.getpid()
    while True:
        with open(f"/proc/{pid}/stat") as stat:
            name, rest = stat.read().rsplit(")", 1)
        if name.endswith("(java"):
            return pid
        pid = int(rest.split()[1])


def executors():
    """How many executors the driver has, itself not counted."""
    return len(sc._jsc.sc().statusTracker().getExecutorInfos()) - 1


def until(what, is_so):
    deadline = time.time() + 120
    while not is_so():
        if time.time() > deadline:
            raise TimeoutError(what)
        time.sleep(0.2)


def tasks_that_wrote():
    """How many tasks have written shuffle files."""
    port = sc.uiWebUrl.rsplit(":", 1)[1]
    url = f"http://localhost:{port}/api/v1/applications/{sc.applicationId}/stages"
    with urllib.request.urlopen(url) as answer:
        stages = json.load(answer)
    return sum(stage["numCompleteTasks"] for stage in stages if stage["shuffleWriteRecords"] > 0)


def killing(host):
    """Kills the executor of this name when it has begun with its part, as the kernel would."""

    def part(index, rows):
        total = sum(count for _, count in rows)
        if socket.gethostname() == host and not os.path.exists("/tmp/killed"):
            os.kill(jvm(), signal.SIGKILL)
            time.sleep(60)
        yield total

    return part


counts = sc.parallelize(range(20000), MAPS).map(lambda x: (x % 97, 1)).reduceByKey(lambda a, b: a + b, MAPS)
print("KEYS", counts.count(), flush=True)
until("no executors", lambda: executors() == 0)
print("EXECUTORS", executors(), flush=True)
print("ROWS", counts.map(lambda pair: pair[1]).sum(), flush=True)
print("MAP TASKS", tasks_that_wrote(), flush=True)

host = sc.parallelize([0], 1).map(lambda _: socket.gethostname()).first()
again = sc.parallelize(range(20000), MAPS).map(lambda x: (x % 89, 1)).reduceByKey(lambda a, b: a + b, MAPS)
again.count()
print("ROWS", again.mapPartitionsWithIndex(killing(host)).sum(), flush=True)
print("MAP TASKS", tasks_that_wrote(), flush=True)
spark.stop()
