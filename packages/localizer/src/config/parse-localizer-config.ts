import { KindlingError, messageOf } from "@kindling/core-spec";
import type { LocalizerConfig, ResolvedConfig, ResolvedFile } from "./localizer-config.ts";
import { ConfigFault, object } from "./readers.ts";
import { CONFIG } from "./schema.ts";

/**
 * Reads and checks a configuration.
 *
 * @param source the name for it in errors, such as its path
 * @throws KindlingError `CONF_INVALID` that names the field
 */
export function parseLocalizerConfig(json: string, source = "the localizer's configuration"): ResolvedConfig {
  let document: unknown;
  try {
    document = JSON.parse(json);
  } catch (error) {
    throw new KindlingError("CONF_INVALID", `${source} is no JSON: ${messageOf(error)}`, { cause: error });
  }
  return resolveLocalizerConfig(document as LocalizerConfig, source);
}

/**
 * Checks a configuration that is already an object, and fills in the defaults.
 *
 * @throws KindlingError `CONF_INVALID` that names the field
 */
export function resolveLocalizerConfig(
  document: LocalizerConfig,
  source = "the localizer's configuration",
): ResolvedConfig {
  try {
    const { version: _, ...config } = object(CONFIG).read(document, "");
    config.files.forEach((file, index) => checkFile(config, file, `files[${index}]`));
    checkTargets(config.files);
    return config;
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    const where = error.at === "" ? source : `${source}: ${error.at}`;
    throw new KindlingError("CONF_INVALID", `${where} ${error.message}`);
  }
}

function checkFile({ bundles, roots }: ResolvedConfig, file: ResolvedFile, at: string): void {
  const { from, to } = file;
  const below = roots.some((root) => to.startsWith(root === "/" ? root : `${root}/`));
  // The old fork unpacks its bundles directly into the mounted directories.
  if (!below && !(from.kind === "whole-bundle" && roots.includes(to))) {
    throw new ConfigFault(`${at}.to`, `is ${to}, which is not below any of roots: ${roots.join(", ")}`);
  }
  if (from.kind === "remote") return;
  const bundle = bundles.get(from.bundle);
  if (bundle === undefined) throw new ConfigFault(`${at}.from.bundle`, `is ${from.bundle}, which is not in bundles`);
  if (from.kind === "staged" && bundle.protocol === "v0") {
    throw new ConfigFault(`${at}.from.file`, "cannot be given with protocol v0, whose bundles are fetched whole");
  }
  if (from.kind === "whole-bundle" && bundle.protocol === "v1") throw new ConfigFault(`${at}.from.file`, "is missing");
  if (from.kind === "whole-bundle" && file.unpack) {
    throw new ConfigFault(`${at}.unpack`, "is not for whole bundles, which are always unpacked");
  }
}

/** Two files with the same target are an error, so that no file is lost silently. */
function checkTargets(files: readonly ResolvedFile[]): void {
  const taken = new Map<string, number>();
  const claim = (path: string, index: number): void => {
    const other = taken.get(path);
    if (other !== undefined && other !== index) {
      throw new ConfigFault(`files[${index}].to`, `${path} is the target of files[${other}] too`);
    }
    taken.set(path, index);
  };
  files.forEach(({ to, from }, index) => {
    // Several bundles may be unpacked into one directory; a clash of their files is found there.
    if (from.kind === "whole-bundle") return;
    claim(to, index);
    claim(`${to}.part`, index);
  });
  files.forEach(({ to, from }, index) => {
    if (from.kind === "whole-bundle") return;
    for (let slash = to.lastIndexOf("/"); slash > 0; slash = to.lastIndexOf("/", slash - 1)) {
      const other = taken.get(to.slice(0, slash));
      if (other !== undefined) throw new ConfigFault(`files[${index}].to`, `${to} is below that of files[${other}]`);
    }
  });
}
