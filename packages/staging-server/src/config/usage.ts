import { HELP_OPTION, type CommandUsage, type Option } from "@kindling/command-line";
import type { ServerKey } from "../settings/server-key.ts";
import { SERVER_KEYS } from "./keys/server-keys.ts";
import type { ServerKeyName } from "./server-config.ts";
import { CONFIG_FLAG, flagName, variableOf } from "./spelling.ts";

/** How the command is called: a flag for each setting. */
export const USAGE: CommandUsage = {
  name: "kindling-staging-server",
  summary: "hold the files of Spark applications until their pods are gone",
  options: [
    {
      name: CONFIG_FLAG,
      value: "<file>",
      once: true,
      help: `Properties file with settings. Each can also stand in the environment, as ${variableOf("listen.port")} does for --listen-port.`,
    },
    ...(Object.keys(SERVER_KEYS) as ServerKeyName[]).map((name) => optionOf(name, SERVER_KEYS[name])),
    HELP_OPTION,
  ],
  examples: [
    "kindling-staging-server --config /etc/kindling/staging.properties",
    "kindling-staging-server --listen-host 127.0.0.1 --lifecycle-owners none --store-path /tmp/staging",
  ],
};

function optionOf(name: ServerKeyName, { type, default: preset, doc }: ServerKey<unknown>): Option {
  const otherwise = preset === undefined || preset === "" ? "" : ` Default: ${preset}.`;
  return {
    name: flagName(name),
    value: `<${type.name}>`,
    once: true,
    help: `${doc.replaceAll("`", "")}${otherwise}`,
  };
}
