"""Fails as Python programs do: in the driver, or in an executor."""
import sys


def number(text):
    return int(text)


if sys.argv[1] == "driver":
    number("two")

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
spark.sparkContext.parallelize(["two"], 1).map(number).collect()
