import type { CommandUsage } from "@kindling/command-line";
import { settingsUsage, type SettingsProgram } from "@kindling/service/settings";
import { SERVER_KEYS } from "./keys/server-keys.ts";
import type { ServerConfig } from "./server-config.ts";

export const SERVER_PROGRAM: SettingsProgram<ServerConfig> = {
  name: "kindling-staging-server",
  summary: "hold the files of Spark applications until their pods are gone",
  prefix: "KINDLING_STAGING",
  settings: SERVER_KEYS,
  examples: [
    "kindling-staging-server --config /etc/kindling/staging.properties",
    "kindling-staging-server --listen-host 127.0.0.1 --lifecycle-owners none --store-path /tmp/staging",
  ],
  // The fork's file also has settings of its client and of Spark, which this server ignores.
  isForeign: (key) => key.startsWith("spark."),
};

export const USAGE: CommandUsage = settingsUsage(SERVER_PROGRAM);
