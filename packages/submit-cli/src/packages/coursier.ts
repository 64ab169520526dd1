import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KindlingError } from "@kindling/core-spec";
import { readSmallFile } from "../files/read-small-file.ts";
import type { ResolvedJar, Wanted } from "./maven.ts";
import { LARGEST_REPORT, runTool, type ToolOptions } from "./run-tool.ts";

/** Resolves with coursier, which looks into ~/.ivy2/local and its own cache, too, and checks what it fetches. */
export async function resolveWithCoursier(
  program: string,
  { packages, exclusions, repositories }: Wanted,
  options: ToolOptions,
): Promise<ResolvedJar[]> {
  const folder = await mkdtemp(join(tmpdir(), "kindling-packages-"));
  try {
    const report = join(folder, "report.json");
    await runTool(
      program,
      [
        "fetch",
        ...repositories.flatMap((url) => ["--repository", url]),
        ...exclusions.flatMap(({ group, artifact }) => ["--exclude", `${group}:${artifact}`]),
        ...["--json-output-file", report],
        ...packages.map(({ group, artifact, version }) => `${group}:${artifact}:${version}`),
      ],
      options,
    );
    return parseReport(readSmallFile(report, LARGEST_REPORT).toString("utf8"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads coursier's report (docs, "JSON output"): dependencies, each with its coordinates and file. */
export function parseReport(text: string): ResolvedJar[] {
  const report: unknown = JSON.parse(text);
  if (!isRecord(report) || !Array.isArray(report["dependencies"])) {
    throw new KindlingError("INTERNAL", "coursier's report has no dependencies");
  }
  return report["dependencies"].flatMap((dependency: unknown) => {
    if (!isRecord(dependency)) return [];
    const { coord, file } = dependency;
    if (typeof coord !== "string" || typeof file !== "string" || !file.endsWith(".jar")) return [];
    const [group = "", artifact = "", ...rest] = coord.split(":");
    const version = rest.at(-1) ?? "";
    const classifier = rest.length === 3 ? `-${rest[1] ?? ""}` : "";
    return [{ path: file, name: `${group}_${artifact}-${version}${classifier}.jar` }];
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
