"""Runs queries in so many sessions for so many seconds, and compares each result: python3 queries.py sc://… SESSIONS SECONDS

Prints a line of JSON: how many results were right, wrong, or not there."""

import json
import sys
import threading
import time
import warnings

warnings.filterwarnings("ignore")
from pyspark.sql import SparkSession  # noqa: E402

remote, sessions, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
counts = {"right": 0, "wrong": 0, "lost": 0}
faults = []
lock = threading.Lock()
end = time.monotonic() + seconds


def told(kind, fault=None):
    with lock:
        counts[kind] += 1
        if fault is not None and len(faults) < 5:
            faults.append(fault)


def work(number):
    spark = SparkSession.builder.remote(remote).create()
    turn = 0
    while time.monotonic() < end:
        turn += 1
        rows = 100_000 + 1000 * number + turn
        try:
            frame = spark.range(0, rows, 1, 2).selectExpr("sum(id) AS total", "count(*) AS rows")
            [row] = frame.collect()
            right = row.total == rows * (rows - 1) // 2 and row.rows == rows
            told("right" if right else "wrong")
        except Exception as error:
            told("lost", str(error)[:300])
        time.sleep(0.2)


threads = [threading.Thread(target=work, args=(number,)) for number in range(sessions)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(json.dumps({**counts, "faults": faults}), flush=True)
