"""Writes a text into a file system that Spark reaches with tokens, and reads it in executors until a time has passed."""
import sys
import time

from pyspark.sql import SparkSession

path, seconds = sys.argv[1], int(sys.argv[2])
spark = SparkSession.builder.getOrCreate()
spark.createDataFrame([("be",), ("not",)], "line string").repartition(2).write.mode("overwrite").text(path)
begin = time.time()
while time.time() - begin < seconds:
    # The name node looks at the token when a connection is made. The pause is longer than an idle connection is kept.
    words = spark.sparkContext.textFile(path).collect()
    print(f"READ {len(words)} after {int(time.time() - begin)} s", flush=True)
    time.sleep(5)
print("READ to the end")
spark.stop()
