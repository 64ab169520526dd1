import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";

const ROOT = new URL("../../../", import.meta.url);

function textOf(path: string): string {
  return readFileSync(new URL(path, ROOT), "utf8");
}

interface Service {
  readonly resources: {
    readonly requests: { readonly memory: string };
    readonly limits: { readonly memory: string };
  };
}

test.each([
  ["staging", "Staging server"],
  ["gateway", "Gateway"],
  ["submission", "Submission server"],
  ["connect", "Connect service"],
  ["recorder", "Recorder"],
])("what the chart gives %s is what docs/operating.md says", (service, name) => {
  const values = parse(textOf("deploy/helm/kindling/values.yaml")) as Readonly<Record<string, Service>>;
  const { requests, limits } = values[service]?.resources ?? { requests: { memory: "" }, limits: { memory: "" } };
  const [, told = ""] = textOf("docs/operating.md").split(`**${name}.** `);
  const [paragraph = ""] = told.split("\n\n");
  for (const memory of new Set([requests.memory, limits.memory]))
    expect(paragraph).toContain(memory.replace(/(?=[KMG]i)/, " ").concat("B"));
});
