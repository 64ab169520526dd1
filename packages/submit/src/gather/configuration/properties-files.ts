import { join, resolve } from "node:path";
import type { Env, Outside } from "@kindling/outside";
import type { ConfigurationRequest } from "../../request.ts";
import { fileStatus } from "../files/file-status.ts";
import { readPropertiesFile } from "./properties-file.ts";
import { sparkConfDir } from "./spark-env.ts";

/**
 * What properties files say, the strongest first: the extra ones, of which the last is the strongest, then the properties
 * file, then spark-defaults.conf where there is no properties file or where it is to be read too.
 */
export function propertiesFiles(
  { extraPropertiesFiles = [], propertiesFile, loadSparkDefaults }: ConfigurationRequest,
  env: Env,
  { cwd, clock }: Pick<Outside, "clock" | "cwd">,
): Readonly<Record<string, string>>[] {
  const sources: Readonly<Record<string, string>>[] = [];
  for (const extra of extraPropertiesFiles.toReversed()) {
    sources.push(readPropertiesFile(resolve(cwd, extra), "--extra-properties-file", clock));
  }
  if (propertiesFile !== undefined) {
    sources.push(readPropertiesFile(resolve(cwd, propertiesFile), "--properties-file", clock));
  }
  const directory = sparkConfDir(env);
  if (directory !== undefined && (propertiesFile === undefined || loadSparkDefaults === true)) {
    const path = join(directory, "spark-defaults.conf");
    if (fileStatus(path)?.isFile() === true) sources.push(readPropertiesFile(path, "spark-defaults.conf", clock));
  }
  return sources;
}
