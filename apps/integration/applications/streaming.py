"""
Streams files of numbered records into a folder, and counts there what came through. All that is to outlive a driver is in
one folder: source, checkpoint and sink. Arguments: the folder, how many files there are, how many drivers are to be
killed, JVM and all, while they stream.
"""
import os
import random
import signal
import sys
import threading
import time

from pyspark.sql import SparkSession

folder, files, kills = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
RECORDS = 10
source, sink, checkpoint, deaths = (os.path.join(folder, name) for name in ("source", "sink", "checkpoint", "deaths"))


def write_source():
    os.makedirs(source, exist_ok=True)
    os.makedirs(deaths, exist_ok=True)
    for number in range(files):
        path = os.path.join(source, f"{number:05}.txt")
        if os.path.exists(path):
            continue
        with open(path + ".new", "w") as file:
            file.writelines(f"{number * RECORDS + record}\n" for record in range(RECORDS))
        os.rename(path + ".new", path)


def die_midway():
    """Kills the JVM that runs this driver at some moment after its first batch, so often as was asked for."""
    if len(os.listdir(deaths)) >= kills:
        return
    while query.lastProgress is None:
        time.sleep(0.1)
    time.sleep(random.uniform(0.5, 3))
    open(os.path.join(deaths, str(time.time())), "w").close()
    print("KILLED", flush=True)
    os.kill(os.getppid(), signal.SIGKILL)


write_source()
spark = SparkSession.builder.getOrCreate()
lines = spark.readStream.option("maxFilesPerTrigger", 1).text("file://" + source)
query = (
    lines.writeStream.option("checkpointLocation", "file://" + checkpoint)
    .trigger(availableNow=True)
    .start(path="file://" + sink, format="text", outputMode="append")
)
print("STREAMING", flush=True)
threading.Thread(target=die_midway, daemon=True).start()
query.awaitTermination()
records = [row.value for row in spark.read.text("file://" + sink).collect()]
print("RECORDS", len(records), "DISTINCT", len(set(records)), "WANTED", files * RECORDS, flush=True)
spark.stop()
