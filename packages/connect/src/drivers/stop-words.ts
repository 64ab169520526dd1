import type { StopReason } from "./decide.ts";

/** Why a driver is stopped, for people who read the audit log. */
export const STOP_WORDS: Readonly<Record<StopReason, string>> = {
  idle: "nobody used it",
  old: "its time to live was over",
  released: "its session was released",
  "never-ready": "it was not ready in time",
  superfluous: "fewer drivers have to wait for sessions",
  "no-profile": "its profile is there no more",
};
