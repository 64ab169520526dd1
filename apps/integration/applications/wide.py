"""Has work for many executors at once: prints the sum of its numbers, and how many tasks failed. Arguments: tasks, seconds of each."""

import sys
import time

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
sc = spark.sparkContext
tasks, seconds = int(sys.argv[1]), float(sys.argv[2])


def slowly(number):
    time.sleep(seconds)
    return number % 4, number


# The shuffle fails if an executor leaves without its blocks.
sums = sc.parallelize(range(tasks), tasks).map(slowly).reduceByKey(lambda a, b: a + b, 4).collect()
print("SUM", sum(part for _, part in sums), flush=True)

tracker = sc.statusTracker()
jobs = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup()]
stages = [tracker.getStageInfo(stage) for job in jobs for stage in job.stageIds]
print("FAILED TASKS", sum(stage.numFailedTasks for stage in stages if stage), flush=True)
spark.stop()
