import { harmlessText } from "@kindling/core-spec";
import type { GroupUsage } from "@kindling/recorder-client";
import { costOf, type Prices } from "./prices.ts";
import { table } from "../table.ts";

/** What a group of applications has reserved, and what that costs. */
export interface CostRow {
  readonly key: string | undefined;
  readonly runs: number;
  readonly coreHours: number;
  readonly gibHours: number;
  /** Those of the core hours that were on spot nodes. */
  readonly spotCoreHours: number;
  /** `undefined` without a price for all of it. */
  readonly cost: number | undefined;
}

/** The rows, the most expensive first; without prices, those with the most core hours. */
export function costRows(groups: readonly GroupUsage[], prices: Prices): readonly CostRow[] {
  const rows = groups.map(({ key, runs, usage }): CostRow => {
    const sum = { core: 0, gib: 0, spot: 0 };
    let cost: number | undefined = 0;
    for (const one of usage) {
      sum.core += one.coreSeconds;
      sum.gib += one.gibSeconds;
      if (one.spot) sum.spot += one.coreSeconds;
      const part = costOf(one, prices);
      cost = cost === undefined || part === undefined ? undefined : cost + part;
    }
    return {
      ...{ key, runs, coreHours: inHours(sum.core), gibHours: inHours(sum.gib), spotCoreHours: inHours(sum.spot) },
      cost: cost === undefined ? undefined : Math.round(cost * 10_000) / 10_000,
    };
  });
  return rows.toSorted((a, b) => (b.cost ?? 0) - (a.cost ?? 0) || b.coreHours - a.coreHours);
}

/** For people; the last row has the sums. */
export function costTable(rows: readonly CostRow[], by: string, { currency = "" }: Prices): string {
  const withCost = rows.some(({ cost }) => cost !== undefined);
  const head = [
    by.replace(/^label:/, "").toUpperCase(),
    "RUNS",
    "CORE-H",
    "GIB-H",
    "ON SPOT",
    ...(withCost ? ["COST"] : []),
  ];
  const sum: CostRow = {
    key: "all",
    runs: total(rows, "runs"),
    coreHours: total(rows, "coreHours"),
    gibHours: total(rows, "gibHours"),
    spotCoreHours: total(rows, "spotCoreHours"),
    cost: rows.some(({ cost }) => cost === undefined) ? undefined : rows.reduce((all, { cost = 0 }) => all + cost, 0),
  };
  const shown = rows.length > 1 ? [...rows, sum] : rows;
  return table([
    head,
    ...shown.map(({ key, runs, coreHours, gibHours, spotCoreHours, cost }) => [
      key === undefined ? "(none)" : harmlessText(key),
      String(runs),
      coreHours.toFixed(2),
      gibHours.toFixed(2),
      coreHours === 0 ? "" : `${Math.round((spotCoreHours / coreHours) * 100)} %`,
      ...(withCost ? [cost === undefined ? "no price" : `${cost.toFixed(2)} ${currency}`.trimEnd()] : []),
    ]),
  ]);
}

function total(rows: readonly CostRow[], key: "runs" | "coreHours" | "gibHours" | "spotCoreHours"): number {
  return rows.reduce((sum, row) => sum + row[key], 0);
}

function inHours(seconds: number): number {
  return Math.round((seconds / 3600) * 10_000) / 10_000;
}
