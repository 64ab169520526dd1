"""From remote() to the first count, in seconds: python3 first_count.py sc://… [imported]

With `imported`, the modules of Spark's client are loaded before."""

import sys
import time
import warnings

warnings.filterwarnings("ignore")
from pyspark.sql import SparkSession  # noqa: E402

if "imported" in sys.argv[2:]:
    import pyspark.sql.connect.dataframe
    import pyspark.sql.connect.session  # noqa: F401

began = time.monotonic()
spark = SparkSession.builder.remote(sys.argv[1]).getOrCreate()
count = spark.range(1).count()
print(time.monotonic() - began, flush=True)
spark.stop()
sys.exit(0 if count == 1 else 1)
