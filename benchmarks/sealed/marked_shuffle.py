"""A shuffle of rows that can be recognised in captured bytes. Prints when the first task is done, and how long the shuffle took."""

import sys
import time

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

rows, linger = int(sys.argv[1]), int(sys.argv[2])
spark = SparkSession.builder.getOrCreate()
spark.range(1).count()
print("FIRST", int(time.time() * 1000), flush=True)
while spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() < 3:
    time.sleep(0.01)
# In two parts, so that this program itself is not taken for its rows.
mark = "MARKER-" + "IN-CLEAR-"
began = time.time()
table = spark.range(0, rows, 1, 4).select(
    (F.col("id") % 1000).alias("key"), F.concat(F.lit(mark), F.col("id").cast("string"), F.lit("x" * 40)).alias("value")
)
found = table.repartition(4, "key").groupBy("key").agg(F.max("value"), F.count("*").alias("count")).collect()
print("SHUFFLED", sum(row["count"] for row in found), round(time.time() - began, 3), flush=True)
time.sleep(linger)
spark.stop()
