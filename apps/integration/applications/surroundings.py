"""Prints what the driver and its executors find around them: environment, mounted files, configuration."""
import os
import sys

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()


def look(where):
    for path in sys.argv[1:]:
        with open(path) as file:
            print("FILE", where, path, file.read().strip())
    for name in ("PASSWORD", "FROM_TEMPLATE", "FROM_CONF"):
        print("ENV", where, name, os.environ.get(name))


look("driver")


def on_executor(_):
    yield os.environ.get("PASSWORD"), os.environ.get("FROM_TEMPLATE"), os.environ.get("FROM_CONF")


print("EXECUTOR", *spark.sparkContext.parallelize([1], 1).mapPartitions(on_executor).collect()[0])
print("CONF", spark.conf.get("spark.kindling-test.from-file"))
spark.stop()
