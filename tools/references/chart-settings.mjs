// @ts-check
// Writes the names of the services' settings into the schema of the chart's values. So a wrong name is refused before anything
// is installed. Otherwise a service would refuse to start.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { CONNECT_KEYS } from "../../packages/connect/dist/server.js";
import { GATEWAY_KEYS } from "../../packages/gateway/dist/index.js";
import { RECORDER_KEYS } from "../../packages/recorder/dist/server.js";
import { SERVER_KEYS } from "../../packages/staging-server/dist/index.js";
import { SERVE_KEYS } from "../../packages/submission-server/dist/index.js";

export const CHART_SCHEMA = new URL("../../deploy/helm/kindling/values.schema.json", import.meta.url);

const KEYS = {
  staging: SERVER_KEYS,
  gateway: GATEWAY_KEYS,
  submission: SERVE_KEYS,
  connect: CONNECT_KEYS,
  recorder: RECORDER_KEYS,
};

/** The schema with the current settings. */
export function chartSchema() {
  const schema = JSON.parse(readFileSync(CHART_SCHEMA, "utf8"));
  for (const [service, keys] of Object.entries(KEYS)) {
    const properties = Object.fromEntries(Object.keys(keys).map((name) => [name, { $ref: "#/$defs/setting" }]));
    schema.properties[service].properties.settings = { type: "object", additionalProperties: false, properties };
  }
  return `${JSON.stringify(schema, null, 2)}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) writeFileSync(CHART_SCHEMA, chartSchema());
