import { join, resolve } from "node:path";
import type { Env, Outside } from "@kindling/outside";
import type { ConfigurationRequest } from "@kindling/core-spec";
import { fileStatus } from "../files/file-status.ts";
import { readPropertiesFile } from "./properties-file.ts";
import { siteDefaults } from "./site-defaults.ts";
import { sparkConfDir } from "./spark-env.ts";

/** Entries, and where they come from, in words for the user. */
export interface ConfigurationSource {
  readonly origin: string;
  readonly entries: Readonly<Record<string, string>>;
}

/**
 * The entries of the properties files, the strongest first: the extra files (the last of them is the strongest), then the
 * properties file, then spark-defaults.conf (if there is no properties file, or if both are wanted), and at last Kindling's
 * own defaults of the user and the machine.
 */
export function propertiesFiles(
  { extraPropertiesFiles = [], propertiesFile, loadSparkDefaults }: ConfigurationRequest,
  env: Env,
  { cwd, clock }: Pick<Outside, "clock" | "cwd">,
): ConfigurationSource[] {
  const read = (path: string, asked: string): ConfigurationSource => ({
    origin: path,
    entries: readPropertiesFile(path, asked, clock),
  });
  const isThere = (path: string): boolean => fileStatus(path)?.isFile() === true;
  const sources = extraPropertiesFiles
    .toReversed()
    .map((extra) => read(resolve(cwd, extra), "--extra-properties-file"));
  if (propertiesFile !== undefined) sources.push(read(resolve(cwd, propertiesFile), "--properties-file"));
  const directory = sparkConfDir(env);
  if (directory !== undefined && (propertiesFile === undefined || loadSparkDefaults === true)) {
    const path = join(directory, "spark-defaults.conf");
    if (isThere(path)) sources.push(read(path, "spark-defaults.conf"));
  }
  return [
    ...sources,
    ...siteDefaults(env)
      // A file that is named explicitly must exist.
      .filter((path) => isThere(path) || path === env["KINDLING_SITE_CONFIG"])
      .map((path) => read(path, "Kindling's defaults")),
  ];
}
