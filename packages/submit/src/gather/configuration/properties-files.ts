import { join, resolve } from "node:path";
import type { Env, Outside } from "@kindling/outside";
import type { ConfigurationRequest } from "@kindling/core-spec";
import { fileStatus } from "../files/file-status.ts";
import { readPropertiesFile } from "./properties-file.ts";
import { siteDefaults } from "./site-defaults.ts";
import { sparkConfDir } from "./spark-env.ts";

/** Entries, and where they come from: for a person. */
export interface ConfigurationSource {
  readonly origin: string;
  readonly entries: Readonly<Record<string, string>>;
}

/**
 * What properties files say, the strongest first: the extra ones, of which the last is the strongest, then the properties
 * file, then spark-defaults.conf where there is no properties file or where it is to be read too, and at last Kindling's
 * own defaults of user and machine.
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
      // One that is asked for has to be there.
      .filter((path) => isThere(path) || path === env["KINDLING_SITE_CONFIG"])
      .map((path) => read(path, "Kindling's defaults")),
  ];
}
