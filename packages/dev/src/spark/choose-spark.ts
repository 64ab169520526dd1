import { printNotice, type CommandContext } from "@kindling/command-line";
import { KindlingError } from "@kindling/core-spec";
import type { ClusterOptions } from "../args/cluster-options.ts";
import { progressPrinter } from "../output/progress-printer.ts";
import { fetchSpark } from "../images/pypi/fetch-spark.ts";
import { PYPI } from "../images/pypi/source-archive.ts";
import { programRunner } from "../images/run-program.ts";
import { findJava } from "../images/spark/find-java.ts";
import { findPython } from "../images/spark/find-python.ts";
import { findSparks } from "../images/spark/find-sparks.ts";
import { type LocalSpark, sparkVersionOf } from "../images/spark/local-spark.ts";
import { isVersion, oldestJava, oldestPython } from "../images/spark/spark-version.ts";
import { requireLinux } from "./require-linux.ts";
import { sparkCacheFolder } from "../state/state-paths.ts";

/** A Spark, and the Java that it runs on. */
export interface ChosenSpark {
  readonly version: string;
  readonly home: string;
  readonly javaHome: string;
}

// The version to download if none is named: the newest that this kindling knows in its main line.
const FETCHED = "4";

/**
 * The Spark for applications that name no image. It is downloaded if there is none and the user agrees. It is checked that
 * its Java is installed.
 *
 * @throws KindlingError if there is no Spark, or no Java for it
 */
export async function chooseSpark(options: ClusterOptions, context: CommandContext): Promise<ChosenSpark> {
  const {
    outside: { env },
    output,
  } = context;
  requireLinux(process.platform);
  const run = programRunner(env);
  for (const home of options.sparkHomes) {
    if ((await sparkVersionOf(home)) !== undefined) continue;
    throw new KindlingError(
      "ARGUMENT_INVALID",
      `--spark-home ${home}: it holds no Spark, as it has no jars/spark-core_*.jar`,
    );
  }
  await tellOfNoSpark(context);
  const there = await findSparks({ homes: options.sparkHomes, env, cacheFolder: sparkCacheFolder(env), run });
  const wanted = options.spark;
  const found = there.find(({ version }) => wanted === undefined || isVersion(version, wanted));
  // Before the download: otherwise hundreds of megabytes could be downloaded for nothing.
  const version = found?.version ?? wanted ?? `${FETCHED}.0`;
  const [java, python] = await Promise.all([
    findJava(env, run, oldestJava(version)),
    findPython(run, oldestPython(version)),
  ]);
  if (typeof java === "string") {
    throw new KindlingError("UNSUPPORTED", `Spark ${version} cannot run here: ${java}`, {
      hint: "install a newer Java, or let JAVA_HOME name one",
    });
  }
  const spark = found ?? (await fetchIfAllowed(options, context, there));
  if (typeof python === "string") printNotice(`Python applications cannot run here: ${python}`, output);
  return { version: spark.version, home: spark.home, javaHome: java.home };
}

/**
 * The next place is used instead, so this is reported: the user has set the variable, and would think that its Spark is used.
 */
async function tellOfNoSpark({ outside: { env }, output }: CommandContext): Promise<void> {
  const home = env["SPARK_HOME"] ?? "";
  if (home === "" || (await sparkVersionOf(home)) !== undefined) return;
  printNotice(`SPARK_HOME ${home}: it is ignored: it holds no Spark, as it has no jars/spark-core_*.jar`, output);
}

async function fetchIfAllowed(
  { spark, mayFetch }: ClusterOptions,
  { outside: { clock, env }, output, confirm, signal }: CommandContext,
  there: readonly LocalSpark[],
): Promise<LocalSpark> {
  const what = spark === undefined ? "there is no Spark on this machine" : `Spark ${spark} is not on this machine`;
  const others = there.map(({ version, home }) => `${version} (${home})`).join(", ");
  const said = others === "" ? what : `${what}, only ${others}`;
  const cacheFolder = sparkCacheFolder(env);
  const question = `${said}. Fetch ${spark === undefined ? "one" : "it"} from PyPI (about 450 MB) into ${cacheFolder}?`;
  if (!mayFetch && !((await confirm?.(question)) ?? false)) {
    throw new KindlingError("UNSUPPORTED", said, {
      hint: "pass --yes to fetch it from PyPI, name one with --spark-home or SPARK_HOME, or install pyspark",
    });
  }
  output.err(`${said}: fetching ${spark === undefined ? "the newest" : "it"} from PyPI into ${cacheFolder}\n`);
  const showProgress = progressPrinter(output);
  return await fetchSpark(spark ?? FETCHED, {
    index: env["PIP_INDEX_URL"] ?? PYPI,
    cacheFolder,
    env,
    clock,
    signal,
    onProgress: ({ version, state, received, total }) => {
      if (state === "download") showProgress({ what: `fetching Spark ${version}`, done: received, total });
      else output.err("unpacking it\n");
    },
  });
}
