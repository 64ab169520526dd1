import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ImageFile, ImageMount, ProcessImage } from "@kindling/devcluster";
import { DECOMMISSION, ENTRYPOINT } from "./container-scripts.ts";
import type { LocalJava } from "./find-java.ts";
import type { LocalPython } from "./find-python.ts";
import type { LocalSpark } from "./local-spark.ts";

const SPARK_HOME = "/opt/spark";

// Each is mounted separately, so that /opt/spark itself can contain the working directory and the mounts of pods. A local
// `conf` is left out: the image has none either.
const PARTS = ["R", "RELEASE", "bin", "data", "examples", "jars", "kubernetes", "licenses", "python", "sbin"];

// What every container sees of this machine anyway.
const SYSTEM = /^\/(usr|bin|sbin|lib\w*|etc)(\/|$)/;

const SYSTEM_PATH = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];

/** A local Spark in the form of the `apache/spark` image of its version. */
export function sparkImage(spark: LocalSpark, java: LocalJava, python: LocalPython | undefined): ProcessImage {
  const mounts = PARTS.flatMap((part): ImageMount[] => {
    const source = join(spark.home, part);
    return existsSync(source) ? [{ source, target: `${SPARK_HOME}/${part}` }] : [];
  });
  for (const folder of [java.home, ...(python?.installation ?? [])]) {
    if (!SYSTEM.test(folder)) mounts.push({ source: folder, target: folder });
  }
  const files: readonly ImageFile[] = [
    { path: "/opt/entrypoint.sh", content: ENTRYPOINT, mode: 0o755 },
    { path: "/opt/decom.sh", content: DECOMMISSION, mode: 0o755 },
  ];
  const path = [join(java.home, "bin"), ...(python === undefined ? [] : [python.folder]), ...SYSTEM_PATH];
  return {
    id: `local-spark-${spark.version}:${spark.home}`,
    mounts,
    files,
    entrypoint: ["/opt/entrypoint.sh"],
    command: [],
    environment: { JAVA_HOME: java.home, SPARK_HOME, PATH: [...new Set(path)].join(":") },
    workingDirectory: `${SPARK_HOME}/work-dir`,
    user: undefined,
  };
}
