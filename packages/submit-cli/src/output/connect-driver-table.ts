import { harmlessText } from "@kindling/core-spec";
import type { ConnectDriver } from "@kindling/submit";
import { age } from "./age.ts";
import { executorsText } from "./application-table.ts";
import { table } from "./table.ts";

export interface ShownDrivers {
  readonly namespaces: boolean;
  /** Whether with the columns that few need. */
  readonly wide: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The drivers of kindling-connect as a table for people. */
export function connectDriverTable(drivers: readonly ConnectDriver[], { namespaces, wide, now }: ShownDrivers): string {
  const head = [
    ...(namespaces ? ["NAMESPACE"] : []),
    ...["NAME", "PROFILE", "USER", "STATE", "EXECUTORS", "AGE"],
    ...(wide ? ["SPARK", "APPLICATION ID"] : []),
  ];
  const rows = drivers.map((driver) => [
    ...(namespaces ? [driver.namespace] : []),
    ...[driver.name, driver.profile, userText(driver), driver.state, executorsText(driver), age(driver.created, now)],
    ...(wide ? [driver.sparkVersion, driver.id] : []),
  ]);
  return table([head, ...rows]);
}

function userText({ isTaken, user }: ConnectDriver): string {
  if (user !== undefined) return harmlessText(user);
  return isTaken ? "all" : "waiting";
}
