"""Needs a certain amount of one kind of memory in one task of an executor: memory.py heap|files|python MEBIBYTES"""
import os
import sys

from pyspark.sql import SparkSession

kind, amount = sys.argv[1], int(sys.argv[2])
spark = SparkSession.builder.getOrCreate()


def files(parts):
    """A file in memory counts for the container, and not for Java's heap."""
    for _ in parts:
        path = os.path.join(os.environ["SPARK_LOCAL_DIRS"].split(",")[0], "large")
        with open(path, "wb") as large:
            for _ in range(amount):
                large.write(b"x" * (1 << 20))
        yield os.path.getsize(path) >> 20
        os.remove(path)


def python(parts):
    for _ in parts:
        held = bytearray(amount << 20)
        for at in range(0, len(held), 4096):
            held[at] = 1
        yield len(held) >> 20


if kind == "heap":
    text = f"length(repeat(cast(id + 1 AS string), {amount << 20}))"
    needed = spark.range(1).selectExpr(f"{text} AS length").collect()[0].length >> 20
else:
    needed = spark.sparkContext.parallelize([1], 1).mapPartitions(files if kind == "files" else python).sum()
print("NEEDED", kind, needed)
spark.stop()
