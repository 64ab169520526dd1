import { type CommandUsage, HELP_OPTION, type Option } from "@kindling/command-line";
import type { GatewayKeyName } from "./gateway-config.ts";
import type { GatewayKey } from "./gateway-key.ts";
import { GATEWAY_KEYS } from "./gateway-keys.ts";
import { CONFIG_FLAG, flagName, variableOf } from "./spelling.ts";

/** How the command is called: a flag for each setting. */
export const USAGE: CommandUsage = {
  name: "kindling-gateway",
  summary: "make executors for Spark drivers that have no rights in the cluster",
  options: [
    {
      name: CONFIG_FLAG,
      value: "<file>",
      once: true,
      help: `Properties file with settings. Each can also stand in the environment, as ${variableOf("listen.port")} does for --listen-port.`,
    },
    ...(Object.keys(GATEWAY_KEYS) as GatewayKeyName[]).map((name) => optionOf(name, GATEWAY_KEYS[name])),
    HELP_OPTION,
  ],
  examples: [
    "kindling-gateway --config /etc/kindling/gateway.properties",
    "kindling-gateway --tls-cert-file tls.crt --tls-key-file tls.key --cluster-namespaces spark-jobs",
  ],
};

function optionOf(name: GatewayKeyName, { type, default: preset, doc }: GatewayKey<unknown>): Option {
  const otherwise = preset === undefined || preset === "" ? "" : ` Default: ${preset}.`;
  return {
    name: flagName(name),
    value: `<${type.name}>`,
    once: true,
    help: `${doc.replaceAll("`", "")}${otherwise}`,
  };
}
