import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { allMetrics } from "../../support/all-metrics.ts";

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly { readonly expr: string }[];
}

interface Dashboard {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly query: string | { readonly query: string } }[] };
}

const dashboard = JSON.parse(
  readFileSync(new URL("../../../grafana/kindling-gateway.json", import.meta.url), "utf8"),
) as Dashboard;

const expressions = [
  ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ...dashboard.templating.list.map(({ query }) => (typeof query === "string" ? query : query.query)),
];

test("each metric that the dashboard asks for is one that the gateway has, and each label as well", async () => {
  const metrics = await allMetrics();
  const asked = expressions.flatMap((expression) => [...expression.matchAll(/\b(gateway_\w+)(?:\{([^}]*)\})?/g)]);
  expect(asked.length).toBeGreaterThan(20);
  for (const [, name = "", selector = ""] of asked) {
    const labels = metrics.get(name.replace(/_(?:bucket|sum|count)$/, ""));
    expect(labels, name).toBeDefined();
    const wanted = [...selector.matchAll(/(\w+)=~?"/g)]
      .map(([, label = ""]) => label)
      .filter((label) => label !== "job");
    for (const label of wanted) expect(labels, `${label} of ${name}`).toContain(label);
  }
});

test("each metric of the gateway that has to do with queues and executors is on the dashboard", async () => {
  const own = [...(await allMetrics()).keys()].filter((name) => /^gateway_(queue|executor|capacity)/.test(name));
  const text = expressions.join("\n");
  expect(own.filter((name) => !text.includes(name) && !NOT_SHOWN.has(name))).toEqual([]);
});

/** Metrics that do not change, that are non-zero only for moments, or that are for alerts. */
const NOT_SHOWN = new Set(["gateway_executors_being_made"]);

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
