import type { ServeConfig } from "../config/serve-keys.ts";
import { Gate } from "./gate.ts";

/** Gates limit how many requests of each kind are processed at the same time. */
export type Gates = Readonly<Record<"submissions" | "reports" | "streams", Gate>>;

export function gatesOf(config: ServeConfig): Gates {
  const reports = config["limits.reports"];
  return {
    submissions: new Gate({
      most: config["limits.submissions"],
      mostPerSubject: config["limits.submissionsPerSubject"],
      what: "submissions",
    }),
    // One client gets at most half of them, so that other clients also get some.
    reports: new Gate({ most: reports, mostPerSubject: Math.ceil(reports / 2), what: "reports" }),
    streams: new Gate({
      most: config["limits.streams"],
      mostPerSubject: config["limits.streamsPerSubject"],
      what: "streams",
    }),
  };
}
