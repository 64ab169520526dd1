"""
Streams files of numbered records into a folder while more of them are written, and counts there what came through. All
that is to outlive a driver is in one folder: source, checkpoint and sink. Arguments: the folder, how many files there have
to be in the end, how many drivers die while they stream, JVM and all, and how many stream until somebody ends them. The
driver after these comes to an end by itself.
"""
import os
import random
import signal
import sys
import threading
import time

from pyspark.sql import SparkSession

folder, files, deaths, ends = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
RECORDS = 10
source, sink, checkpoint, drivers = (os.path.join(folder, name) for name in ("source", "sink", "checkpoint", "drivers"))
for path in (source, drivers):
    os.makedirs(path, exist_ok=True)


def written():
    return [name for name in os.listdir(source) if name.endswith(".txt")]


def write_file():
    number = len(written())
    # Spark ignores names that begin with a dot.
    unfinished = os.path.join(source, ".unfinished")
    with open(unfinished, "w") as file:
        file.writelines(f"{number * RECORDS + record}\n" for record in range(RECORDS))
    os.rename(unfinished, os.path.join(source, f"{number:05}.txt"))


def feed():
    """The last driver has an end to come to; the others have work as long as they live."""
    while not is_last or len(written()) < files:
        write_file()
        time.sleep(0.3)


def die_midway():
    while query.lastProgress is None:
        time.sleep(0.1)
    time.sleep(random.uniform(0.5, 3))
    print("KILLED", flush=True)
    os.kill(os.getppid(), signal.SIGKILL)


turn = len(os.listdir(drivers)) + 1
open(os.path.join(drivers, str(turn)), "w").close()
is_last = turn > deaths + ends
write_file()
spark = SparkSession.builder.getOrCreate()
lines = spark.readStream.option("maxFilesPerTrigger", 2).text("file://" + source)
query = (
    lines.writeStream.option("checkpointLocation", "file://" + checkpoint)
    .start(path="file://" + sink, format="text", outputMode="append")
)
print("STREAMING", flush=True)
feeder = threading.Thread(target=feed, daemon=True)
feeder.start()
if turn <= deaths:
    die_midway()
feeder.join()
query.processAllAvailable()
query.stop()
records = [row.value for row in spark.read.text("file://" + sink).collect()]
print("RECORDS", len(records), "DISTINCT", len(set(records)), "WANTED", len(written()) * RECORDS, flush=True)
spark.stop()
