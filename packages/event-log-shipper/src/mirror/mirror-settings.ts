import { KindlingError } from "@kindling/core-spec";
import type { Env } from "@kindling/outside";
import { readRecorderAccess, type RecorderAccessSettings } from "../settings.ts";

/** Whose event logs are wanted: that of one run, or all of some namespaces, as long as they are kept. */
export type WantedEventLogs =
  | { readonly kind: "run"; readonly uid: string }
  | {
      readonly kind: "namespaces";
      readonly namespaces: readonly string[];
      readonly ageMs: number;
      readonly everyMs: number;
    };

export interface MirrorSettings extends RecorderAccessSettings {
  readonly wanted: WantedEventLogs;
}

const DAY_MS = 86_400_000;
const DAYS = 7;
const EVERY_SECONDS = 30;

/** @throws KindlingError `CONF_MISSING`, `CONF_INVALID` */
export function readMirrorSettings(env: Env): MirrorSettings {
  return { ...readRecorderAccess(env), wanted: wantedIn(env) };
}

function wantedIn(env: Env): WantedEventLogs {
  const uid = env["KINDLING_EVENT_LOG_RUN"];
  if (uid !== undefined && uid !== "") return { kind: "run", uid };
  const namespaces = (env["KINDLING_EVENT_LOG_NAMESPACES"] ?? "").split(",").filter((name) => name !== "");
  if (namespaces.length === 0) {
    throw new KindlingError("CONF_MISSING", "KINDLING_EVENT_LOG_NAMESPACES is not set, nor is KINDLING_EVENT_LOG_RUN", {
      hint: "set one of them: names of namespaces with commas, or the uid of a run",
    });
  }
  return {
    ...{ kind: "namespaces", namespaces },
    ageMs: countIn(env, "KINDLING_EVENT_LOG_DAYS", DAYS) * DAY_MS,
    everyMs: countIn(env, "KINDLING_EVENT_LOG_INTERVAL_SECONDS", EVERY_SECONDS) * 1000,
  };
}

function countIn(env: Env, name: string, usual: number): number {
  const text = env[name];
  if (text === undefined || text === "") return usual;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new KindlingError("CONF_INVALID", `${name}: ${text} is no whole number above 0`);
}
