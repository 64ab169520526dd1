import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { diagnose, podEvent, podState } from "@kindling/diagnosis";
import type { Event, Pod } from "kubernetes-types/core/v1.js";
import { parse } from "yaml";
import type { Told } from "../judge.ts";

interface Evidence {
  readonly now?: string;
  readonly driver?: Pod;
  readonly executors?: readonly Pod[];
  readonly events?: readonly Event[];
}

/** Reads `evidence.yaml` and `driver.log` of a folder, and returns the diagnosis of them. */
export function runDiagnosis(folder: string): Told {
  const given = (parse(readFileSync(join(folder, "evidence.yaml"), "utf8")) ?? {}) as Evidence;
  const driver = given.driver && podState(given.driver);
  const log = join(folder, "driver.log");
  const { state, findings } = diagnose(
    {
      driver,
      driverContainer: driver?.sparkContainer,
      executors: (given.executors ?? []).map(podState),
      events: (given.events ?? []).map(podEvent),
      log: existsSync(log) ? readFileSync(log, "utf8").replace(/\n$/, "").split("\n") : undefined,
    },
    Date.parse(given.now ?? "2026-01-01T01:00:00Z"),
  );
  const lines = findings.map(({ summary, advice }) => (advice === undefined ? summary : `${summary}; ${advice}`));
  return { text: [state, ...lines].join("\n"), faults: [] };
}
