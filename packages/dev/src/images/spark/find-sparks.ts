import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { RunProgram } from "../run-program.ts";
import { type LocalSpark, sparkVersionOf } from "./local-spark.ts";
import { newestFirst } from "./spark-version.ts";

/** Where to look for Spark installations on this machine. */
export interface SparkPlaces {
  /** Folders that the user names. */
  readonly homes: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder with one folder for each downloaded version. */
  readonly cacheFolder: string;
  readonly run: RunProgram;
}

// Only looks for the package: importing it would take a second.
const FIND_PYSPARK =
  "import importlib.util; s = importlib.util.find_spec('pyspark'); print(s.submodule_search_locations[0] if s else '')";

/** The Spark installations of this machine, in the order of preference: named ones, `SPARK_HOME`, pyspark, downloaded ones. */
export async function findSparks({ homes, env, cacheFolder, run }: SparkPlaces): Promise<readonly LocalSpark[]> {
  const fromEnvironment = env["SPARK_HOME"] ?? "";
  const [cached, pyspark] = await Promise.all([cachedVersions(cacheFolder), pysparkFolder(env, run)]);
  const places: Omit<LocalSpark, "version">[] = [
    ...homes.map((home) => ({ home, origin: "configured" as const })),
    { home: fromEnvironment, origin: "SPARK_HOME" },
    { home: pyspark, origin: "pyspark" },
    ...cached.map((version) => ({ home: join(cacheFolder, version), origin: "cache" as const })),
  ];
  const sparks = await Promise.all(
    places
      .filter(({ home }) => home !== "")
      .map(async ({ home, origin }) => ({ home, origin, version: await sparkVersionOf(home) })),
  );
  return sparks.flatMap(({ home, origin, version }) => (version === undefined ? [] : [{ home, origin, version }]));
}

async function cachedVersions(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  return names.filter((name) => /^\d/.test(name)).sort(newestFirst);
}

async function pysparkFolder(env: SparkPlaces["env"], run: RunProgram): Promise<string> {
  try {
    return (await run(env["PYSPARK_PYTHON"] ?? "python3", ["-c", FIND_PYSPARK])).trim();
  } catch {
    return "";
  }
}
