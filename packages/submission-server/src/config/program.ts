import type { CommandUsage } from "@kindling/command-line";
import { settingsUsage, type SettingsProgram } from "@kindling/service/settings";
import { SERVE_KEYS, type ServeConfig } from "./serve-keys.ts";

export const SERVE_PROGRAM: SettingsProgram<ServeConfig> = {
  name: "kindling-serve",
  summary: "submit Spark applications for others, over HTTP",
  prefix: "KINDLING_SERVE",
  settings: SERVE_KEYS,
  examples: [
    "kindling-serve --cluster-namespaces spark-jobs",
    "kindling-serve --config /etc/kindling/serve.properties",
    "kindling-serve --listen-host 0.0.0.0 --tls-cert-file tls.crt --tls-key-file tls.key --auth-modes kubernetes",
  ],
};

export const USAGE: CommandUsage = settingsUsage(SERVE_PROGRAM);
