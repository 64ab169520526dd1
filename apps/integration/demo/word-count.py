"""Counts the words of a text on the application's executors and prints the most frequent ones."""
import re
import sys

from pyspark.sql import SparkSession

path, most = sys.argv[1], int(sys.argv[2])
spark = SparkSession.builder.appName("word count").getOrCreate()

with open(path, encoding="utf-8") as text:
    lines = spark.sparkContext.parallelize(text.read().splitlines(), 8)
counts = (
    lines.flatMap(lambda line: re.findall(r"[a-z]+", line.lower()))
    .map(lambda word: (word, 1))
    .reduceByKey(lambda a, b: a + b)
)
for word, count in counts.takeOrdered(most, key=lambda pair: (-pair[1], pair[0])):
    print(f"{count:6} {word}")
spark.stop()
