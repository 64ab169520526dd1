import { isKindlingError } from "@kindling/core-spec";
import { withEnvironment, type Environment, CONFIG_VARIABLE } from "./config/environment.ts";
import { parseForkProperties } from "./config/fork-properties.ts";
import type { ResolvedConfig } from "./config/localizer-config.ts";
import { parseLocalizerConfig } from "./config/parse-localizer-config.ts";
import { readSmallFile } from "./read-small-file.ts";
import { LocalizerError } from "./report/localizer-error.ts";

/**
 * Reads the configuration that the command line or the environment names: Java properties of the old fork if the name
 * ends in `.properties`, else JSON.
 *
 * @throws LocalizerError `config`
 */
export function loadConfig(args: readonly string[], env: Environment): ResolvedConfig {
  const path = args[0] ?? (env[CONFIG_VARIABLE] || undefined);
  if (path === undefined || args.length > 1) {
    throw new LocalizerError(
      "config",
      path === undefined ? "no configuration is named" : "there are too many arguments",
      {
        hint: `call it as kindling-localizer CONFIG, or set ${CONFIG_VARIABLE}`,
      },
    );
  }
  const source = readSmallFile(path)?.toString("utf8");
  if (source === undefined) {
    throw new LocalizerError("config", `there is no file ${path}`, {
      hint: "is its volume mounted into this container?",
    });
  }
  try {
    const config = path.endsWith(".properties")
      ? parseForkProperties(source, path)
      : parseLocalizerConfig(source, path);
    return withEnvironment(config, env);
  } catch (error) {
    if (!isKindlingError(error)) throw error;
    throw new LocalizerError("config", error.message, { hint: error.hint, cause: error });
  }
}
