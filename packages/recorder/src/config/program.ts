import type { CommandUsage } from "@kindling/command-line";
import { settingsUsage, type SettingsProgram } from "@kindling/service/settings";
import { RECORDER_KEYS, type RecorderConfig } from "./recorder-keys.ts";

export const RECORDER_PROGRAM: SettingsProgram<RecorderConfig> = {
  name: "kindling-recorder",
  summary: "keep what Spark applications said, did and cost",
  prefix: "KINDLING_RECORDER",
  settings: RECORDER_KEYS,
  examples: [
    "kindling-recorder --store-path ./archive --spool-path ./spool",
    "kindling-recorder --config /etc/kindling/recorder.properties",
    "kindling-recorder --store-kind s3 --store-s3-bucket spark-archive --cluster-namespaces etl",
  ],
};

export const USAGE: CommandUsage = settingsUsage(RECORDER_PROGRAM);
