import type { CommandUsage } from "@kindling/command-line";
import { settingsUsage, type SettingsProgram } from "@kindling/service/settings";
import { CONNECT_KEYS, type ConnectConfig } from "./connect-keys.ts";

export const CONNECT_PROGRAM: SettingsProgram<ConnectConfig> = {
  name: "kindling-connect",
  summary: "serve Spark Connect at one address, with drivers for its sessions",
  prefix: "KINDLING_CONNECT",
  settings: CONNECT_KEYS,
  examples: [
    "kindling-connect --profiles-file ./profiles.yaml",
    "kindling-connect --config /etc/kindling-connect/connect.properties",
  ],
};

export const USAGE: CommandUsage = settingsUsage(CONNECT_PROGRAM);
