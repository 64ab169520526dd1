import { isKindlingError, messageOf } from "@kindling/core-spec";
import { ImagePullError, type ProcessImage } from "@kindling/devcluster";
import type { DescribedImages } from "../described-images.ts";
import { parseImageReference } from "../image-reference.ts";
import { programRunner, type RunProgram } from "../run-program.ts";
import { findJava } from "./find-java.ts";
import { findPython } from "./find-python.ts";
import { findSparks } from "./find-sparks.ts";
import { type LocalSpark, sparkVersionOf } from "./local-spark.ts";
import { sparkImage } from "./spark-image.ts";
import { isVersion, oldestJava, oldestPython, versionOfTag } from "./spark-version.ts";

/** Where Spark's images come from. */
export interface SparkImagesOptions {
  /** Folders with Spark that the user names; they come first. */
  readonly homes: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder with one folder for each downloaded version. */
  readonly cacheFolder: string;
  /**
   * Downloads a version of Spark, or the newest, into the cache; only set if the user has agreed. A version with two numbers
   * means the newest one with this prefix.
   */
  readonly fetch?: (version: string | undefined) => Promise<LocalSpark>;
  /** Runs programs that report something about themselves. */
  readonly run?: RunProgram;
}

const REPOSITORIES = new Set(["apache/spark", "apache/spark-py", "library/spark"]);

/** `apache/spark:*` and `spark:*`, each a local Spark of the version in the tag. */
export function sparkImages(options: SparkImagesOptions): DescribedImages {
  const { env, fetch, run = programRunner(options.env) } = options;
  const fetches = new Map<string, Promise<LocalSpark>>();
  const known = new Map<string, { readonly spark: LocalSpark; readonly image: ProcessImage }>();

  const find = (): Promise<readonly LocalSpark[]> => findSparks({ ...options, run });

  async function pick(reference: string, version: string | undefined): Promise<LocalSpark> {
    const there = await find();
    const found = version === undefined ? there[0] : there.find((spark) => isVersion(spark.version, version));
    if (found !== undefined) return found;
    if (fetch !== undefined) return fetchOnce(version, fetch);
    const wanted = version === undefined ? "a Spark" : `Spark ${version}`;
    throw new ImagePullError("ErrImagePull", `${reference}: ${wanted} is not on this machine; ${whatIsThere(there)}`);
  }

  /** Pods with the same version wait for one download; a failed one is tried again by the next pod. */
  function fetchOnce(version: string | undefined, fetchSpark: typeof fetch & object): Promise<LocalSpark> {
    const key = version ?? "";
    const running = fetches.get(key);
    if (running !== undefined) return running;
    const started = fetchSpark(version).catch((error: unknown) => {
      fetches.delete(key);
      const hint = isKindlingError(error) && error.hint !== undefined ? `; ${error.hint}` : "";
      throw new ImagePullError("ErrImagePull", messageOf(error) + hint);
    });
    fetches.set(key, started);
    return started;
  }

  async function resolve(reference: string): Promise<ProcessImage | undefined> {
    const name = parseImageReference(reference);
    if (name === undefined || name.registry !== "docker.io" || !REPOSITORIES.has(name.repository)) return undefined;
    // Asking Java and Python takes a second, which is too long for each start of a pod.
    const before = known.get(reference);
    if (before !== undefined && (await sparkVersionOf(before.spark.home)) === before.spark.version) return before.image;
    const spark = await pick(reference, versionOfTag(name.tag));
    const [java, python] = await Promise.all([
      findJava(env, run, oldestJava(spark.version)),
      findPython(run, oldestPython(spark.version)),
    ]);
    if (typeof java === "string") throw missing(reference, spark, java);
    // Applications for the JVM need no Python, unless the image has Python in its name.
    const isPythons = name.tag?.includes("python") === true || name.repository === "apache/spark-py";
    if (typeof python === "string" && isPythons) throw missing(reference, spark, python);
    const image = sparkImage(spark, java, typeof python === "string" ? undefined : python);
    known.set(reference, { spark, image });
    return image;
  }

  return {
    resolve,
    async describe() {
      const there = await find();
      const lines = there.map(({ version, home }) => `apache/spark:${version} (${home})`);
      return fetch === undefined ? lines : [...lines, "apache/spark:* (fetched from PyPI when a pod asks for it)"];
    },
  };
}

function whatIsThere(sparks: readonly LocalSpark[]): string {
  if (sparks.length === 0) return "there is none: set SPARK_HOME, or install pyspark";
  return `there is ${sparks.map(({ version, home }) => `${version} (${home})`).join(", ")}`;
}

function missing(reference: string, spark: LocalSpark, what: string): ImagePullError {
  return new ImagePullError("ErrImagePull", `${reference}: Spark ${spark.version} cannot run here: ${what}`);
}
