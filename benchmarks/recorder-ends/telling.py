"""An application that counts aloud in its driver and its executors, and ends in a way that its argument names."""

import os
import sys
import threading
import time

WAY = sys.argv[1]
BEATS = 80


def tell(number, end="\n"):
    sys.stdout.write("LINE %d %.3f%s" % (number, time.time(), end))
    sys.stdout.flush()


def count():
    number = 0
    while True:
        number += 1
        tell(number)
        time.sleep(0.1)


def work(rows):
    for beat in range(BEATS):
        print("BEAT %d %.3f" % (beat, time.time()), flush=True)
        time.sleep(0.1)
    print("LAST BEAT", flush=True)


def swallow(rows):
    taken = []
    while True:
        taken.append(bytearray(os.urandom(1 << 20)) * 64)


threading.Thread(target=count, daemon=True).start()

from pyspark.sql import SparkSession  # noqa: E402

spark = SparkSession.builder.getOrCreate()
context = spark.sparkContext
context.parallelize(range(2), 2).foreachPartition(work)

if WAY in ("forced", "node", "namespace"):
    context.parallelize(range(2), 2).foreachPartition(lambda rows: time.sleep(600))
if WAY == "executors-oom":
    context.parallelize(range(2), 2).foreachPartition(swallow)
print("LAST LINE", flush=True)
if WAY == "exception":
    raise ValueError("no input for today")
if WAY == "exit":
    os._exit(7)
if WAY == "driver-oom":
    swallow([])
if WAY == "kill":
    os.kill(os.getppid(), 9)
    time.sleep(60)
spark.stop()
