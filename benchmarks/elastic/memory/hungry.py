"""Does some quiet work, and needs a certain amount of memory in one place: hungry.py KIND AMOUNT QUIET_SECONDS first|last

KIND says where: in the heap of an executor, outside of its heap, or in the driver. AMOUNT is in MiB, or in thousands of rows. The
memory is needed before or after the quiet work."""

import mmap
import os
import sys
import time

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

kind, amount, quiet = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
began = time.time()
spark = SparkSession.builder.getOrCreate()
sc = spark.sparkContext
MIB = 1 << 20


def touched(size):
    held = bytearray(size)
    for at in range(0, size, 4096):
        held[at] = 1
    return held


def rows_of(count, columns):
    return spark.range(0, count, 1, 1).selectExpr(*columns)


def text():
    return spark.range(1).selectExpr(f"length(repeat(cast(id + 1 AS string), {amount * MIB})) AS n").first().n


def texts():
    """Two tasks at once, each of which would fit alone."""
    made = spark.range(0, 2, 1, 2).selectExpr(f"length(repeat(cast(id + 1 AS string), {amount * MIB})) AS n")
    return made.agg(F.sum("n")).first()[0]


def skewed_list():
    rows = rows_of(amount * 1024, ["1 AS k", "repeat(chr(65 + id % 26), 1024) AS v"])
    return rows.repartition(2, "k").groupBy("k").agg(F.collect_list("v").alias("v")).selectExpr("size(v)").first()[0]


def skewed_set():
    rows = rows_of(amount * 1024, ["1 AS k", "repeat(cast(id AS string), 128) AS v"])
    return rows.repartition(2, "k").groupBy("k").agg(F.collect_set("v").alias("v")).selectExpr("size(v)").first()[0]


def sorted_list():
    rows = rows_of(amount * 1024, ["id % 1 AS k", "concat(hash(id), repeat('x', 1000)) AS v"])
    made = rows.groupBy("k").agg(F.sort_array(F.collect_list("v")).alias("v"))
    return made.selectExpr("size(v)").first()[0]


def percentile():
    return rows_of(amount * 1000, ["id"]).selectExpr("percentile(id, 0.5)").first()[0]


def words():
    made = spark.range(1).selectExpr(f"size(split(repeat(concat('word', id, ','), {amount * 1000}), ',')) AS n")
    return made.first().n


def joined():
    """A table that is broadcast fits into the driver, and not into an executor."""
    small = rows_of(amount * 1000, ["id", "repeat(cast(id AS string), 8) AS v"])
    large = spark.range(0, 1000, 1, 1).selectExpr("id * 7 AS id")
    return large.join(F.broadcast(small), "id").count()


def python(parts):
    for _ in parts:
        yield len(touched(amount * MIB)) >> 20


def native(parts):
    """Buffers of native code, which neither Java nor Python counts."""
    for _ in parts:
        with mmap.mmap(-1, amount * MIB) as buffer:
            for at in range(0, len(buffer), 4096):
                buffer[at] = 1
            yield len(buffer) >> 20


def table(parts):
    for _ in parts:
        yield len({number: str(number) * 8 for number in range(amount * 1000)})


def files(parts):
    """The local directories are in memory, so that files count for the container."""
    for _ in parts:
        path = os.path.join(os.environ["SPARK_LOCAL_DIRS"].split(",")[0], "large")
        with open(path, "wb") as large:
            for _ in range(amount):
                large.write(b"x" * MIB)
        yield os.path.getsize(path) >> 20
        os.remove(path)


def on_one(function):
    return lambda: sc.parallelize([1], 1).mapPartitions(function).sum()


def on_two():
    return sc.parallelize([1, 2], 2).mapPartitions(python).sum()


def grouped():
    pairs = sc.parallelize(range(amount), 4).map(lambda number: (0, bytes(MIB)))
    return pairs.groupByKey(1).mapValues(lambda values: sum(1 for _ in list(values))).first()[1]


def piped():
    """A program beside the executor."""
    program = f"print(len(bytearray(b'x') * ({amount} << 20)) >> 20)"
    return sum(int(line) for line in sc.parallelize([1], 1).pipe(f'python3 -c "{program}"', checkCode=True).collect())


def driver_broadcast():
    small = rows_of(amount * 1000, ["id", "repeat(cast(id AS string), 16) AS v"])
    return spark.range(0, 1000, 1, 1).join(F.broadcast(small), "id").count()


def driver_collect():
    return len(rows_of(amount, [f"repeat(cast(id % 10 AS string), {MIB}) AS v"]).collect())


def driver_python():
    return len(touched(amount * MIB)) >> 20


KINDS = {
    "text": text,
    "texts": texts,
    "skewed-list": skewed_list,
    "skewed-set": skewed_set,
    "sorted-list": sorted_list,
    "percentile": percentile,
    "words": words,
    "joined": joined,
    "python": on_one(python),
    "pythons": on_two,
    "native": on_one(native),
    "table": on_one(table),
    "files": on_one(files),
    "grouped": grouped,
    "piped": piped,
    "driver-broadcast": driver_broadcast,
    "driver-collect": driver_collect,
    "driver-python": driver_python,
}


def be_quiet():
    sc.parallelize(range(4), 4).foreach(lambda _: time.sleep(quiet / 4))


is_first = sys.argv[4] == "first"
if not is_first:
    be_quiet()
result = KINDS[kind]()
if is_first:
    be_quiet()
print("RESULT", kind, int(result), "TOOK", round(time.time() - began, 1), flush=True)
spark.stop()
