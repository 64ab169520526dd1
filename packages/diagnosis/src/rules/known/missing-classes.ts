import type { KnownFailure } from "./known-failure.ts";
import { otherVersions } from "./other-versions.ts";

const EVERYWHERE =
  "driver and executors need it: build it into the image, or give it with --jars, or --packages GROUP:ARTIFACT:VERSION";
const HADOOP = "VERSION is that of the image's Hadoop: ls /opt/spark/jars/hadoop-client-*";

/** The packages that stores and formats need, by a part of the missing class. */
const PACKAGES: readonly (readonly [words: RegExp, packages: string])[] = [
  [/fs\.s3a\.|^s3[an]?$/, `--packages org.apache.hadoop:hadoop-aws:VERSION, or build it into the image; ${HADOOP}`],
  [
    /com[./]amazonaws|software[./]amazon[./]awssdk/,
    `hadoop-aws needs the bundle of the AWS SDK that it was built with: --packages org.apache.hadoop:hadoop-aws:VERSION brings both; ${HADOOP}`,
  ],
  [
    /fs\.azure|^abfss?$|^wasbs?$/,
    `--packages org.apache.hadoop:hadoop-azure:VERSION, or build it into the image; ${HADOOP}`,
  ],
  [
    /fs\.gcs|^gs$/,
    "--packages com.google.cloud.bigdataoss:gcs-connector:VERSION, or build gcs-connector-…-shaded.jar into the image",
  ],
  [/^oss$/, `--packages org.apache.hadoop:hadoop-aliyun:VERSION; ${HADOOP}`],
  [
    /iceberg/i,
    "--packages org.apache.iceberg:iceberg-spark-runtime-SPARK_SCALA:VERSION, for the image's versions of Spark and Scala",
  ],
  [/delta/i, "--packages io.delta:delta-spark_SCALA:VERSION, for the image's version of Spark"],
  [/hudi/i, "--packages org.apache.hudi:hudi-sparkSPARK-bundle_SCALA:VERSION, for the image's version of Spark"],
  [
    /sql[./]kafka|^kafka$|kafka/i,
    "--packages org.apache.spark:spark-sql-kafka-0-10_SCALA:SPARK_VERSION, with the image's versions",
  ],
  [/avro/i, "--packages org.apache.spark:spark-avro_SCALA:SPARK_VERSION, with the image's versions"],
  [
    /postgresql|mysql|mariadb|sqlserver|oracle|jdbc|snowflake|redshift|clickhouse/i,
    "the JDBC driver's jar is needed by driver and executors: --jars, --packages, or in the image",
  ],
  [/jmx_prometheus|prometheus/i, "the jar of the agent or sink has to be in the image, or be given with --jars"],
];

function packages(name: string): string {
  return PACKAGES.find(([words]) => words.test(name))?.[1] ?? EVERYWHERE;
}
/** Classes that are missing where the application runs. */
export const missingClasses = (): readonly KnownFailure[] => [
  {
    words: /NoSuchMethodException: (\S+)\.main\(|Main method not found in class ([\w.$]+)/,
    cause: "ClassNotFound",
    advice: (name, other) => `${name || other} has no static main(String[]): name another with --class`,
  },
  {
    words: /Cannot find catalog plugin class for catalog '?\S+?'?: (\S+)/,
    cause: "ClassNotFound",
    advice: packages,
  },
  {
    words: /Maven Coordinates must be in the form/,
    advice: "write each of spark.jars.packages as GROUP:ARTIFACT:VERSION",
  },
  ...otherVersions(),
  {
    words: /No FileSystem for scheme:? "?(s3)"?$/,
    cause: "ClassNotFound",
    advice:
      "Hadoop knows Amazon's S3 as s3a://: write s3a:// and add hadoop-aws, or set spark.hadoop.fs.s3.impl=org.apache.hadoop.fs.s3a.S3AFileSystem",
  },
  { words: /No FileSystem for scheme:? "?([\w+.-]+)"?/, cause: "ClassNotFound", advice: packages },
  { words: /No AbstractFileSystem configured for scheme: (\w+)/, cause: "ClassNotFound", advice: packages },
  {
    words: /No suitable driver/,
    cause: "ClassNotFound",
    advice:
      'the JDBC driver\'s jar is needed by driver and executors (--jars, --packages, or in the image), and its class as the option "driver" of the reader or writer',
  },
  {
    words: /(?:Failed to find (?:the )?data source: |DATA_SOURCE_NOT_FOUND\] .*?data source: )`?"?([\w.]+)/,
    cause: "ClassNotFound",
    advice: packages,
  },
  {
    words: /(?:ClassNotFoundException: (?:Class )?|NoClassDefFoundError: (?:Could not initialize class )?)([\w.$/]+)/,
    cause: "ClassNotFound",
    advice: packages,
  },
  {
    words: /CANNOT_LOAD_FUNCTION_CLASS|Cannot use (\S+) to configure session extensions/,
    cause: "ClassNotFound",
    advice: packages,
  },
];
