"""Starts Spark, then fails with the exit code that it is given."""
import sys

from pyspark.sql import SparkSession

SparkSession.builder.getOrCreate()
print("ABOUT TO FAIL")
sys.exit(int(sys.argv[1]))
