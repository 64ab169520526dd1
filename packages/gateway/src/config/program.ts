import type { CommandUsage } from "@kindling/command-line";
import { settingsUsage, type SettingsProgram } from "@kindling/service/settings";
import { GATEWAY_KEYS, type GatewayConfig } from "./gateway-keys.ts";

export const GATEWAY_PROGRAM: SettingsProgram<GatewayConfig> = {
  name: "kindling-gateway",
  summary: "make executors for Spark drivers that have no rights in the cluster",
  prefix: "KINDLING_GATEWAY",
  settings: GATEWAY_KEYS,
  examples: [
    "kindling-gateway --config /etc/kindling/gateway.properties",
    "kindling-gateway --tls-cert-file tls.crt --tls-key-file tls.key --cluster-namespaces spark-jobs",
  ],
};

export const USAGE: CommandUsage = settingsUsage(GATEWAY_PROGRAM);
