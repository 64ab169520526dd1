import { expect, test } from "vitest";
import { memoryAtEnd } from "../src/index.ts";

const TASK =
  "Job aborted due to stage failure: Task 1 in stage 0.0 failed 4 times, most recent failure: Lost task 1.3 in stage 0.0 (TID 7) (10.0.0.9 executor 5): ";
const MAIN = 'Exception in thread "main" ';

const AT = "\tat org.apache.spark.Some.method(Some.scala:1)";

test.each<[string, readonly string[], unknown]>([
  ["a full heap of the driver", [`${MAIN}java.lang.OutOfMemoryError: Java heap space`], { of: "driver", kind: "heap" }],
  [
    "a thread of the driver",
    [
      "26/11/30 04:00:00 ERROR Utils: uncaught error in thread spark-listener",
      "java.lang.OutOfMemoryError: GC overhead limit exceeded",
    ],
    { of: "driver", kind: "gc" },
  ],
  [
    "a task without memory",
    [
      `${MAIN}org.apache.spark.SparkException: ${TASK}org.apache.spark.memory.SparkOutOfMemoryError: [UNABLE_TO_ACQUIRE_MEMORY] Unable to acquire 65536 bytes of memory, got 0.`,
      AT,
    ],
    { of: "executor", kind: "heap" },
  ],
  [
    "a Python worker that was killed",
    [
      `${MAIN}org.apache.spark.SparkException: ${TASK}org.apache.spark.SparkException: Python worker exited unexpectedly (crashed)`,
      AT,
    ],
    { of: "executor", kind: "python" },
  ],
  [
    "a table that the driver cannot broadcast",
    [
      "Traceback (most recent call last):",
      '  File "/opt/app/hungry.py", line 167, in <module>',
      "    result = KINDS[kind]()",
      '  File "/opt/spark/python/lib/py4j-0.10.9.7-src.zip/py4j/protocol.py", line 326, in get_return_value',
      "py4j.protocol.Py4JJavaError: An error occurred while calling o57.count.",
      ": org.apache.spark.SparkException: Not enough memory to build and broadcast the table to all worker nodes. As a workaround, you can either disable broadcast by setting spark.sql.autoBroadcastJoinThreshold to -1 or increase the spark driver memory by setting spark.driver.memory to a higher value.",
      "\tat org.apache.spark.sql.errors.QueryExecutionErrors$.notEnoughMemoryToBuildAndBroadcastTableError(QueryExecutionErrors.scala:2213)",
      "Caused by: java.lang.OutOfMemoryError: Java heap space",
      "\tat java.base/java.util.Arrays.copyOf(Unknown Source)",
    ],
    { of: "driver", kind: "heap" },
  ],
  [
    "a table that the driver cannot broadcast, without the cause",
    [
      `${MAIN}org.apache.spark.SparkException: Not enough memory to build and broadcast the table to all worker nodes.`,
      AT,
    ],
    { of: "driver", kind: "heap" },
  ],
  [
    "a program beside an executor that was killed, of PySpark 4",
    [
      "Traceback (most recent call last):",
      '  File "/opt/app/hungry.py", line 167, in <module>',
      "    result = KINDS[kind]()",
      '  File "/opt/spark/python/lib/pyspark.zip/pyspark/errors/exceptions/captured.py", line 262, in deco',
      "    raise converted from None",
      "pyspark.errors.exceptions.captured.PythonException: An exception was thrown from the Python worker:",
      "Traceback (most recent call last):",
      '  File "/opt/spark/python/lib/pyspark.zip/pyspark/core/rdd.py", line 1575, in check_return_code',
      "pyspark.errors.exceptions.base.PySparkRuntimeError: [PIPE_FUNCTION_EXITED] Pipe function `python3 -c 1` exited with error code -9.",
    ],
    { of: "executor", kind: "python" },
  ],
  [
    "a program beside an executor that was killed, of RDD.pipe in Scala",
    [
      `${MAIN}org.apache.spark.SparkException: ${TASK}java.lang.IllegalStateException: Subprocess exited with status 137. Command ran: sort`,
      AT,
    ],
    { of: "executor", kind: "python" },
  ],
  [
    "a program beside an executor that failed by itself",
    [
      `${MAIN}org.apache.spark.SparkException: ${TASK}java.lang.IllegalStateException: Subprocess exited with status 1. Command ran: sort`,
      AT,
    ],
    undefined,
  ],
  [
    "direct memory of an executor",
    [
      `${MAIN}org.apache.spark.SparkException: ${TASK}java.lang.OutOfMemoryError: Cannot reserve 1 bytes of direct buffer memory`,
      AT,
    ],
    { of: "executor", kind: "direct" },
  ],
  [
    "Python in the driver",
    [
      "Traceback (most recent call last):",
      '  File "/opt/app/a.py", line 3, in <module>',
      "    b = bytearray(1 << 40)",
      "MemoryError",
    ],
    { of: "driver", kind: "python" },
  ],
  [
    "a driver's program that was killed",
    ["org.apache.spark.SparkUserAppException: User application exited with 137"],
    { of: "driver", kind: "python" },
  ],
  ["another failure", [`${MAIN}java.lang.IllegalStateException: no`], undefined],
  ["nothing", [], undefined],
])("%s", (_, log, wanted) => {
  expect(memoryAtEnd(log)).toEqual(wanted);
});
