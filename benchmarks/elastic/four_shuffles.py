"""Four shuffles with idle gaps between them: each stage needs the output of the one before. Says what it took and what ran twice."""

import json
import sys
import time
import urllib.request

from pyspark.sql import SparkSession

ROWS, GAP = int(sys.argv[1]), float(sys.argv[2])
PARTS = 6
spark = SparkSession.builder.getOrCreate()
sc = spark.sparkContext


def stages():
    port = sc.uiWebUrl.rsplit(":", 1)[1]
    with urllib.request.urlopen(f"http://localhost:{port}/api/v1/applications/{sc.applicationId}/stages") as answer:
        return json.load(answer)


def spread(rows, step):
    return rows.map(lambda row: (row * 2654435761 % 1000003 + step, 1)).reduceByKey(lambda a, b: a + b, PARTS).keys()


began = time.time()
rows = sc.parallelize(range(ROWS), PARTS)
for step in range(4):
    rows = spread(rows, step)
    count = rows.count()
    print("STEP", step, count, round(time.time() - began, 1), flush=True)
    if step < 3:
        time.sleep(GAP)
took = time.time() - began
written = [stage for stage in stages() if stage["shuffleWriteRecords"] > 0]
# Every map stage has to run once, with one task for each part.
ran = sum(stage["numCompleteTasks"] for stage in written)
print("TOOK", round(took, 1), "AGAIN", ran - 4 * PARTS, "COUNT", count, flush=True)
spark.stop()
