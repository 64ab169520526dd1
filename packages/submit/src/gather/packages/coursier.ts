import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unescape } from "node:querystring";
import { formatProperties, KindlingError } from "@kindling/core-spec";
import { readSmallFile } from "../files/read-small-file.ts";
import type { ResolvedJar, Wanted } from "./maven.ts";
import { LARGEST_REPORT, runTool, type ToolOptions } from "./run-tool.ts";

/** Resolves with coursier, which also looks into ~/.ivy2/local and its own cache, and checks what it fetches. */
export async function resolveWithCoursier(
  program: string,
  { packages, exclusions, repositories }: Wanted,
  options: ToolOptions,
): Promise<ResolvedJar[]> {
  const folder = await mkdtemp(join(tmpdir(), "kindling-packages-"));
  try {
    const report = join(folder, "report.json");
    const { urls, credentials } = takenApart(repositories);
    const credentialFile = join(folder, "credentials.properties");
    if (credentials !== undefined) await writeFile(credentialFile, credentials, { mode: 0o600 });
    await runTool(
      program,
      [
        "fetch",
        ...urls.flatMap((url) => ["--repository", url]),
        ...(credentials === undefined ? [] : ["--credential-file", credentialFile]),
        ...exclusions.flatMap(({ group, artifact }) => ["--exclude", `${group}:${artifact}`]),
        ...["--json-output-file", report],
        ...packages.map(({ group, artifact, version }) => `${group}:${artifact}:${version}`),
      ],
      options,
    );
    return parseReport(readSmallFile(report, options.clock, LARGEST_REPORT).toString("utf8"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The URLs of repositories without users and passwords, and those as a file for coursier (docs, "Credentials"): everybody on
 * this machine can read the arguments of a process.
 */
function takenApart(repositories: readonly string[]): {
  readonly urls: readonly string[];
  readonly credentials: string | undefined;
} {
  const properties: Record<string, string> = {};
  const urls = repositories.map((text, index) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined || (url.username === "" && url.password === "")) return text;
    properties[`repository${index}.host`] = url.hostname;
    properties[`repository${index}.username`] = unescape(url.username);
    properties[`repository${index}.password`] = unescape(url.password);
    properties[`repository${index}.auto`] = "true";
    properties[`repository${index}.https-only`] = String(url.protocol === "https:");
    url.username = "";
    url.password = "";
    return url.href;
  });
  const isOpen = Object.keys(properties).length === 0;
  return { urls, credentials: isOpen ? undefined : formatProperties(properties, "Of the submission's repositories.") };
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
