import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Metrics } from "../../src/server/metrics.ts";

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly { readonly expr: string }[];
}

interface Dashboard {
  readonly panels: readonly Panel[];
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly query: string | { readonly query: string } }[];
  };
}

const dashboard = JSON.parse(
  readFileSync(new URL("../../grafana/kindling-recorder.json", import.meta.url), "utf8"),
) as Dashboard;

const expressions = [
  ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ...dashboard.templating.list.map(({ query }) => (typeof query === "string" ? query : query.query)),
];

async function allMetrics(): Promise<ReadonlyMap<string, readonly string[]>> {
  const none = (): number => 0;
  const usage = { show: () => ({ shown: { usage: [], ended: [] }, kept: Promise.resolve() }) };
  const { registry } = new Metrics({ runs: none, unstored: none, streams: none, usage });
  const names = (await registry.getMetricsAsJSON()).map(({ name }) => name);
  return new Map(
    names.map((name) => {
      const metric: unknown = registry.getSingleMetric(name);
      return [name, (metric as { readonly labelNames: readonly string[] }).labelNames];
    }),
  );
}

test("each metric that the dashboard asks for is one that the recorder has, and each label as well", async () => {
  const metrics = await allMetrics();
  const asked = expressions.flatMap((expression) => [...expression.matchAll(/\b(recorder_\w+)(?:\{([^}]*)\})?/g)]);
  expect(asked.length).toBeGreaterThan(20);
  for (const [, name = "", selector = ""] of asked) {
    const labels = metrics.get(name);
    expect(labels, name).toBeDefined();
    const wanted = [...selector.matchAll(/(\w+)=~?"/g)].map(([, label = ""]) => label).filter((one) => one !== "job");
    for (const label of wanted) expect(labels, `${label} of ${name}`).toContain(label);
  }
});

test("each variable that an expression uses is on the dashboard", () => {
  const names = new Set(dashboard.templating.list.map(({ name }) => name));
  const used = expressions.flatMap((expression) => [...expression.matchAll(/\$(\w+)/g)].map(([, name = ""]) => name));
  expect(used.filter((name) => !name.startsWith("__") && !names.has(name))).toEqual([]);
});

test("no panel lies on another", () => {
  const { panels } = dashboard;
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  for (const [index, { title, gridPos: a }] of panels.entries()) {
    for (const { title: other, gridPos: b } of panels.slice(index + 1)) {
      const isApart = a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
      expect(isApart, `${title} and ${other}`).toBe(true);
    }
  }
});
