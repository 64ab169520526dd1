import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Coordinates, Exclusion } from "./coordinates.ts";
import { readSmallFile } from "../files/read-small-file.ts";
import { LARGEST_REPORT, runTool, type ToolOptions } from "./run-tool.ts";

/** What is to be resolved. */
export interface Wanted {
  readonly packages: readonly Coordinates[];
  readonly exclusions: readonly Exclusion[];
  /** URLs of repositories besides Maven Central and the ones in the user's settings. */
  readonly repositories: readonly string[];
}

/** A resolved artifact, on this machine. */
export interface ResolvedJar {
  readonly path: string;
  /** These do not clash as file names may: `group_artifact-version.jar`, Ivy's names for Spark. */
  readonly name: string;
}

const PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1";

/** Resolves with Maven, and so with the mirrors, proxies and credentials of the user's ~/.m2/settings.xml. */
export async function resolveWithMaven(program: string, wanted: Wanted, options: ToolOptions): Promise<ResolvedJar[]> {
  const folder = await mkdtemp(join(tmpdir(), "kindling-packages-"));
  try {
    const pom = join(folder, "pom.xml");
    const list = join(folder, "list.txt");
    await writeFile(pom, pomOf(wanted));
    await runTool(
      program,
      [
        ...["--batch-mode", "--strict-checksums", "--no-transfer-progress", "--file", pom],
        ...[`${PLUGIN}:list`, "-DincludeScope=runtime", "-DoutputAbsoluteArtifactFilename=true"],
        ...[`-DoutputFile=${list}`, "-DexcludeTransitive=false", "-Dstyle.color=never"],
      ],
      options,
    );
    return parseDependencyList(readSmallFile(list, options.clock, LARGEST_REPORT).toString("utf8"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads lines such as `org.x:a:jar:1.0:runtime:/path/a-1.0.jar -- module a`; files that are no jars are ignored. */
export function parseDependencyList(text: string): ResolvedJar[] {
  return text.split("\n").flatMap((line) => {
    const match =
      /^\s+([^:\s]+):([^:]+):(?:jar|bundle|ejb)(?::([^:]+))?:([^:]+):(?:compile|runtime)(?: \([^)]*\))?:(\S.*?\.jar)(?:\s+--.*)?\s*$/.exec(
        line.replace(/\u001B\[[0-9;]*m/g, ""),
      );
    if (match === null) return [];
    const [, group = "", artifact = "", classifier, version = "", path = ""] = match;
    return [{ path, name: `${group}_${artifact}-${version}${classifier === undefined ? "" : `-${classifier}`}.jar` }];
  });
}

function pomOf({ packages, exclusions, repositories }: Wanted): string {
  const excluded = exclusions.map(
    ({ group, artifact }) => `<exclusion>${tag("groupId", group)}${tag("artifactId", artifact)}</exclusion>`,
  );
  const dependencies = packages.map(
    ({ group, artifact, version }) =>
      `<dependency>${tag("groupId", group)}${tag("artifactId", artifact)}${tag("version", version)}` +
      `<exclusions>${excluded.join("")}</exclusions></dependency>`,
  );
  const places = repositories.map(
    (url, i) => `<repository>${tag("id", `kindling-${i}`)}${tag("url", url)}</repository>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>kindling</groupId>
  <artifactId>packages</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <repositories>${places.join("")}</repositories>
  <dependencies>${dependencies.join("")}</dependencies>
</project>
`;
}

function tag(name: string, text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `<${name}>${escaped}</${name}>`;
}
