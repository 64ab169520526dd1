"""Collects so many MiB of numbers, in seconds: python3 collect.py sc://… MIB"""

import sys
import time
import warnings

warnings.filterwarnings("ignore")
import pyarrow.compute as pc  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402

spark = SparkSession.builder.remote(sys.argv[1]).getOrCreate()
spark.range(1).count()
rows = int(sys.argv[2]) * 1024 * 1024 // 8
began = time.monotonic()
table = spark.range(0, rows, 1, 32).toArrow()
print(time.monotonic() - began, flush=True)
right = table.num_rows == rows and pc.sum(table.column(0)).as_py() == rows * (rows - 1) // 2
spark.stop()
sys.exit(0 if right else 1)
