import type { KnownFailure } from "./known-failure.ts";

const EVERYWHERE =
  "driver and executors need it: build it into the image, or give it with --jars, or --packages GROUP:ARTIFACT:VERSION";
const HADOOP = "VERSION is that of the image's Hadoop: ls /opt/spark/jars/hadoop-client-*";

/** What stores and formats need, by a part of the class that is not there. */
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

function tooNew(name: string, version: string): string {
  return `class ${name.replaceAll("/", ".")} was compiled for Java ${Number(version) - 44}, which the image's Java is too old for`;
}

const COMPILE = "compile for the image's Java (javac --release), or take an image of a newer Java";

/** Classes, modules and programs that are not where the application runs. */
export const missingCode = (): readonly KnownFailure[] => [
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
  {
    words: /UnsupportedClassVersionError: (\S+) ?: Unsupported major\.minor version (\d+)/,
    cause: "ClassNotFound",
    says: tooNew,
    advice: COMPILE,
  },
  {
    words: /Unsupported class file major version (\d+)/,
    cause: "WrongImage",
    says: (version) =>
      `the image's Java ${Number(version) - 44} is newer than its Spark knows: Unsupported class file major version ${version}`,
    advice: "take an image with a Java that this Spark knows: 8, 11 or 17 with Spark 3.5, 17 or 21 with 4.x",
  },
  {
    words:
      /(?:NoClassDefFoundError|ClassNotFoundException): (\S*(?:io[./]fabric8[./]kubernetes|spark[./]scheduler[./]cluster[./]k8s)\S*)/,
    cause: "WrongImage",
    says: (name) =>
      `the image's Spark is without its Kubernetes module: class ${name.replaceAll("/", ".")} is not there`,
    advice:
      "take an image whose Spark is built with it (kubernetes-client-…jar and spark-kubernetes_…jar in /opt/spark/jars)",
  },
  {
    words: /UnsupportedClassVersionError: (\S+) .*class file version (\d+)/,
    cause: "ClassNotFound",
    says: tooNew,
    advice: COMPILE,
  },
  {
    words:
      /(?:NoSuchMethodError|NoClassDefFoundError|AbstractMethodError|IncompatibleClassChangeError|ClassNotFoundException): '?(?:[\w.[\]]+ )?(scala[./](?:Predef|Product\$class|Serializable|collection|runtime|Function\d\$class|\$less)\S*)/,
    cause: "ClassNotFound",
    advice:
      "a jar is built for another version of Scala than the image's Spark (2.12 with Spark 3.5 as a rule, 2.13 with 4.x): take those whose name ends in the image's, as in ls /opt/spark/jars/scala-library-*",
  },
  {
    words:
      /(?:NoSuchMethodError|NoSuchFieldError|AbstractMethodError|IncompatibleClassChangeError|IllegalAccessError)\b(?!.*module java\.base)/,
    cause: "ClassNotFound",
    advice:
      "two versions of a library do not go together: take jars that are made for the image's versions of Spark and Hadoop; spark.driver.userClassPathFirst and spark.executor.userClassPathFirst prefer yours",
  },
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
  {
    words: /No module named '?([\w]+)\.[\w.]+'?; '?[\w.]+'? is not a package/,
    cause: "ModuleNotFound",
    advice: (name) => `a file of your own is named ${name}.py, and hides the package ${name}: give it another name`,
  },
  {
    words: /Error from python worker[^]*(?:No module named '?pyspark|pyspark\.daemon)/,
    cause: "ModuleNotFound",
    says: () => "the Python of an executor does not find pyspark",
    advice:
      "the Python of the executors does not find pyspark: take an image whose Python and Spark belong together for both, or correct spark.pyspark.python and PYTHONPATH (spark.executorEnv.PYTHONPATH)",
  },
  {
    words: /(?:ModuleNotFoundError: No module named|ImportError: No module named) '?([\w.]+)/,
    cause: "ModuleNotFound",
    advice: (name) =>
      `${name} is not in the Python that driver and executors run: give modules in pure Python with --py-files (a .py, a wheel, or a .zip of what pip install --target brings), compiled ones as an environment with --archives (venv-pack, conda-pack), or build them into the image`,
  },
  {
    words: /PACKAGE_NOT_INSTALLED\] (\S+)|(?:ImportError|PySparkImportError): (Pandas|PyArrow) .*must be installed/i,
    cause: "ModuleNotFound",
    advice: (one, other) =>
      `build ${one || other} into the image, for driver and executors, or give an environment that has it with --archives (venv-pack, conda-pack)`,
  },
  {
    words:
      /ImportError: .*(?:cannot open shared object file|GLIBC|undefined symbol|invalid ELF header|wrong ELF class)/,
    cause: "ModuleNotFound",
    advice:
      "a native library of the module does not go with the image: install the module in the image itself, or pack its environment in a container of that image",
  },
  {
    words: /ImportError: cannot import name '([^']+)' from '([^']+)'/,
    cause: "ModuleNotFound",
    advice: (_, module) =>
      `the image has another version of ${module} than the program was written for, or a file of your own has that name: pin its version in the image or the packed environment`,
  },
  {
    words:
      /(?:PYTHON_VERSION_MISMATCH|Python in worker has different version:? )(?:.*?version:? )?(\d[\d.]*)? ?(?:than that in driver:? (\d[\d.]*))?/,
    advice:
      "driver and executors need the same minor version of Python: one image for both (spark.kubernetes.container.image), the same spark.pyspark.python, and no PYSPARK_PYTHON that points elsewhere",
  },
  {
    words:
      /Cannot run program "([^"]+)"[^:]*: (?:error=2|Exec failed, error: 2)|(?:\/usr\/bin\/)?env: [\u2018']?(python[\d.]*|Rscript|R|bash)[\u2019']?: No such file/,
    cause: "FileNotFound",
    says: (program, other) => `${program || other} is not in the image, or is not on its PATH`,
    advice:
      "take an image with it (apache/spark:VERSION-python3, -r), or name the program that the image has: spark.pyspark.python, spark.r.command",
  },
  {
    words: /Cannot run program "([^"]+)"[^:]*: (?:error=13|Exec failed, error: 13)/,
    cause: "FileNotFound",
    says: (program) => `${program} cannot be run: permission denied`,
    advice: (program) =>
      `${program} is not executable for the container's user: chmod a+x in the image, or in the archive that brings it`,
  },
];
