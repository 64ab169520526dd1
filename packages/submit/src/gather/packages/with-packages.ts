import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { KindlingError, type MainApplication, type SparkConf } from "@kindling/core-spec";
import type { Env } from "@kindling/outside";
import type { ToolOptions } from "./run-tool.ts";
import { IN_EVERY_IMAGE, parseCoordinates, parseExclusion } from "./coordinates.ts";
import { resolveWithCoursier } from "./coursier.ts";
import { resolveWithMaven, type ResolvedJar, type Wanted } from "./maven.ts";
import { PACKAGES, PACKAGES_EXCLUDES, PACKAGES_RESOLVE, REPOSITORIES } from "../../keys/packages-keys.ts";
import { resolvesHere } from "./who-resolves.ts";

/** A configuration's entries, and their application. */
export interface WithPackagesInput {
  readonly conf: SparkConf;
  readonly mainApplication: MainApplication;
}

export interface WithPackagesOptions extends ToolOptions {
  /** Called with a line that says which tool runs, because that may take a while. */
  readonly tell: (message: string) => void;
}

/**
 * Resolves `spark.jars.packages` on this machine, once for driver and executors, if that is wanted. The jars are added to
 * spark.jars (for a Python application also to spark.submit.pyFiles, because packages may contain Python; SparkSubmit does
 * the same), and the packages are removed from the driver's configuration.
 *
 * @throws KindlingError for invalid coordinates, if neither coursier nor Maven is installed, and with their message if they
 *   fail
 */
export async function withPackages(
  { conf, mainApplication }: WithPackagesInput,
  options: WithPackagesOptions,
): Promise<Readonly<Record<string, string>>> {
  const coordinates = conf.get(PACKAGES) ?? [];
  if (coordinates.length === 0 || !resolvesHere(conf)) return conf.entries;
  const jars = await resolve(
    {
      packages: coordinates.map(parseCoordinates),
      exclusions: [...IN_EVERY_IMAGE, ...(conf.get(PACKAGES_EXCLUDES) ?? []).map(parseExclusion)],
      repositories: conf.get(REPOSITORIES) ?? [],
    },
    options,
  );
  const entries: Record<string, string> = { ...conf.entries };
  for (const key of Object.keys(entries)) {
    if (IVY_KEYS.has(key)) delete entries[key];
  }
  const uris = jars.map(({ path, name }) => `file:${encodeURI(path)}#${name}`);
  append(entries, "spark.jars", uris);
  if (mainApplication.language === "python") append(entries, "spark.submit.pyFiles", uris);
  return entries;
}

const IVY_KEYS = new Set([
  PACKAGES.key,
  PACKAGES_EXCLUDES.key,
  REPOSITORIES.key,
  "spark.jars.ivy",
  "spark.jars.ivySettings",
]);

function append(entries: Record<string, string>, key: string, uris: readonly string[]): void {
  entries[key] = [...(entries[key] ? [entries[key]] : []), ...uris].join(",");
}

async function resolve(wanted: Wanted, options: WithPackagesOptions): Promise<ResolvedJar[]> {
  const coursier = onPath(["cs", "coursier"], options.env);
  const maven = onPath(["mvn"], options.env);
  const program = coursier ?? maven;
  if (program === undefined) {
    throw new KindlingError("UNSUPPORTED", "--packages: neither coursier (cs) nor Maven (mvn) is on the PATH", {
      hint: `install one of them, or set ${PACKAGES_RESOLVE.key}=driver`,
    });
  }
  options.tell(
    `resolving ${wanted.packages.length === 1 ? "a package" : `${wanted.packages.length} packages`} with ${program}`,
  );
  return coursier === undefined
    ? resolveWithMaven(program, wanted, options)
    : resolveWithCoursier(program, wanted, options);
}

function onPath(names: readonly string[], env: Env): string | undefined {
  for (const folder of (env["PATH"] ?? "").split(delimiter)) {
    for (const name of names) if (folder !== "" && isExecutable(join(folder, name))) return join(folder, name);
  }
  return undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
