"""Writes a text into a file system that Spark reaches with tokens, and counts the words that it reads from there."""
import sys

from pyspark.sql import SparkSession

path, text = sys.argv[1], sys.argv[2]
spark = SparkSession.builder.getOrCreate()
with open(text) as file:
    lines = [(line,) for line in file.read().splitlines()]
spark.createDataFrame(lines, "line string").repartition(2).write.mode("overwrite").text(path)
words = spark.sparkContext.textFile(path).flatMap(str.split).map(lambda word: (word.lower(), 1))
for word, count in sorted(words.reduceByKey(lambda a, b: a + b).collect()):
    print(f"COUNT {word} {count}")
print("USER", spark.sparkContext.sparkUser())
spark.stop()
