import type { IncomingMessage } from "node:http";
import type { Clock } from "@kindling/outside";
import type { Overview } from "@kindling/gateway-client";
import { History, type Sample } from "./history.ts";
import type { PageAnswer } from "./page-answer.ts";
import { type PageOptions, pageRoutes } from "./page-routes.ts";

/** Two hours: the chart then has more points than the screen of a phone. */
const SAMPLE_MS = 20_000;
const MOST_SAMPLES = 360;

export interface Page {
  readonly routes: (request: IncomingMessage) => PageAnswer | undefined;
  readonly samples: () => readonly Sample[];
  stop(): void;
}

export interface StartPageOptions extends Pick<PageOptions, "overview" | "hosts"> {
  readonly clock: Clock;
}

/** The page for people. It records how many executors there were. */
export function startPage({ clock, overview, hosts }: StartPageOptions): Page {
  const look = (): Overview["applications"] => overview().applications;
  const history = new History({ clock, everyMs: SAMPLE_MS, most: MOST_SAMPLES, look });
  const samples = (): readonly Sample[] => history.samples;
  return { routes: pageRoutes({ overview, samples, hosts }), samples, stop: () => history.stop() };
}
