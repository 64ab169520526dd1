import { parseCommandLine } from "@kindling/command-line";
import { closest, confType, KindlingError, parseProperties, PropertiesSyntaxError } from "@kindling/core-spec";
import type { Env } from "@kindling/outside";
import type { Setting, SettingsProgram } from "./setting.ts";
import { CONFIG, flagName, flagOf, variableOf } from "./spelling.ts";
import { settingsUsage } from "./usage.ts";

/** Where settings come from. */
export interface SettingSources {
  /** The arguments after the command: `--listen-port 8443`, `--listen-port=8443`. */
  readonly args: readonly string[];
  readonly env: Env;
  /** @throws KindlingError `FILE_UNREADABLE` */
  readonly readFile: (path: string) => string;
}

/**
 * Reads the settings of a program from flags, the environment, a properties file and defaults; the first source that has a
 * setting wins. `--config` or the variable `PREFIX_CONFIG` names the file. All other environment variables are ignored,
 * whatever their names: Kubernetes sets some for every Service of a namespace.
 *
 * @throws KindlingError `ARGUMENT_INVALID`, `CONF_INVALID`, `FILE_UNPARSABLE`, `FILE_UNREADABLE`
 */
export function load<Config>(program: SettingsProgram<Config>, { args, env, readFile }: SettingSources): Config {
  const line = parseCommandLine(settingsUsage(program), args, program.name);
  const path = line.value(CONFIG) ?? env[variableOf(program.prefix, CONFIG)];
  const file = path === undefined ? {} : parseFile(program, path, readFile(path));
  const read = (name: string, setting: Setting<unknown>): unknown => {
    const flag = line.value(flagName(name));
    if (flag !== undefined) return parseValue(setting, flag, flagOf(name));
    const variable = variableOf(program.prefix, name);
    const value = env[variable];
    if (value !== undefined) return parseValue(setting, value, variable);
    for (const inFile of [name, ...(setting.alternatives ?? [])]) {
      const written = file[inFile];
      if (written !== undefined) return parseValue(setting, written, `${inFile} in ${path}`);
    }
    return setting.default === undefined ? undefined : parseValue(setting, setting.default, name);
  };
  const settings = Object.entries<Setting<unknown>>(program.settings);
  return Object.fromEntries(settings.map(([name, setting]) => [name, read(name, setting)])) as Config;
}

/**
 * The error if other settings require a setting that is not set.
 *
 * @param why a clause: `drivers are served only over TLS`
 */
export function settingMissing(name: string, why: string): KindlingError {
  return new KindlingError("CONF_MISSING", `${name} is not set, and ${why}`, {
    hint: `set it, or pass ${flagOf(name)}`,
  });
}

function parseValue(setting: Setting<unknown>, written: string, where: string): unknown {
  const value = setting.type.parse(written);
  if (!confType.isMisfit(value)) return value;
  throw new KindlingError("CONF_INVALID", `${where}: expected ${value.expected}, got ${JSON.stringify(written)}`);
}

function parseFile<Config>(
  { name, settings, isForeign = () => false }: SettingsProgram<Config>,
  path: string,
  source: string,
): Readonly<Record<string, string>> {
  let written: Record<string, string>;
  try {
    written = parseProperties(source);
  } catch (error) {
    if (!(error instanceof PropertiesSyntaxError)) throw error;
    throw new KindlingError("FILE_UNPARSABLE", `${path}:${error.line}: ${error.message}`, { cause: error });
  }
  const declared = Object.entries<Setting<unknown>>(settings);
  const known = new Set(declared.flatMap(([setting, { alternatives = [] }]) => [setting, ...alternatives]));
  for (const key of Object.keys(written)) {
    if (known.has(key) || isForeign(key)) continue;
    const near = closest(key, known);
    throw new KindlingError("ARGUMENT_INVALID", `there is no setting in ${path} called ${key}`, {
      hint: near === undefined ? `${name} --help lists them all` : `did you mean ${near}?`,
    });
  }
  return written;
}
