"""Loses its only executor in several ways: prints the sum of a job that each was lost under."""

import os
import signal
import socket
import time

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
sc = spark.sparkContext


def jvm():
    """The Java process that has started the one that runs this."""
    pid = os.getpid()
    while True:
        with open(f"/proc/{pid}/stat") as stat:
            name, rest = stat.read().rsplit(")", 1)
        if name.endswith("(java"):
            return pid
        pid = int(rest.split()[1])


def kill():
    os.kill(jvm(), signal.SIGKILL)
    time.sleep(60)


def take_all_memory():
    # In portions, so that no process has more memory than the Java process: if only one process is killed instead of the
    # container, it is the largest one, and that must be the executor.
    for _ in range(32):
        if os.fork() == 0:
            portion = bytearray(b"x" * (48 << 20))
            time.sleep(60)
            os._exit(len(portion) % 2)
    time.sleep(60)


def wait_to_be_deleted():
    time.sleep(60)


def executor():
    return sc.parallelize([0], 1).map(lambda _: socket.gethostname()).first()


def losing(by, host):
    """The sum of 0 to 7, in a job that loses the executor of this name."""

    def part(number):
        if number == 0 and socket.gethostname() == host:
            by()
        return number

    return sc.parallelize(range(8), 2).map(part).sum()


print("KILLED", losing(kill, executor()), flush=True)
print("OUT OF MEMORY", losing(take_all_memory, executor()), flush=True)
host = executor()
print("DELETE", host, flush=True)
print("DELETED", losing(wait_to_be_deleted, host), flush=True)
spark.stop()
