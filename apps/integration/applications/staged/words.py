"""Counts words with a module, a package and an archive that came from the submitter's disk."""
import os
import sys

import tokens
from pyspark import SparkFiles
from pyspark.sql import SparkSession
from shouting.style import shout

spark = SparkSession.builder.getOrCreate()
context = spark.sparkContext


def surroundings(_):
    import os

    import tokens
    from pyspark import SparkFiles
    from shouting.style import shout

    with open("dictionary/words/known.txt") as known, open(SparkFiles.get("text.txt")) as text:
        pod = os.environ["SPARK_EXECUTOR_POD_NAME"]
        yield pod, shout("ready"), len(known.read().split()), sorted(tokens.tokens(text.read()))


with open(sys.argv[1]) as text, open("dictionary/words/known.txt") as known:
    print("DRIVER READ", len(text.read().splitlines()), "LINES", shout("ready"), len(known.read().split()))
found = context.parallelize(range(8), 8).mapPartitions(surroundings).collect()
print("EXECUTORS", len({pod for pod, *_ in found}), {tuple(rest[:2]) for _, *rest in found})
counts = {}
for word in found[0][3]:
    counts[word] = counts.get(word, 0) + 1
for word, count in sorted(counts.items()):
    print("COUNT", word, count)
spark.stop()
