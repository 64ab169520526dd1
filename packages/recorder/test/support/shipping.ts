import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { recorderUploads, ship } from "@kindling/event-log-shipper";
import { httpTransport, withoutProxy } from "@kindling/http";
import { systemClock, systemRandom } from "@kindling/outside";
import type { Pod } from "kubernetes-types/core/v1.js";
import { onTestFinished } from "vitest";
import { testFolder } from "./archives.ts";
import { driverPod } from "./recording.ts";
import { podToken, type TestRecorder } from "./recorder-server.ts";

export const ID = "spark-daily";
export const LOG = `eventlog_v2_${ID}`;
const LIMITS = { connectTimeoutMs: 5_000, stallTimeoutMs: 5_000, answerTimeoutMs: 5_000 };

/** A driver with the second container that ships its event log. */
export async function driverOf({ cluster }: TestRecorder, name = "daily"): Promise<Pod> {
  const driver = driverPod(name).container("kindling-event-log", { image: "localizer" });
  return await cluster.createPod(driver.build());
}

/** Ships the event logs of a folder, as the second container does. */
export async function shipping(
  recorder: TestRecorder,
  driver: Pod,
  folder: string,
): Promise<{ done: Promise<boolean> }> {
  const tokenFile = join(await testFolder(), "token");
  await writeFile(tokenFile, await podToken(recorder.cluster, driver));
  const http = httpTransport({ clock: systemClock, tls: {}, proxies: withoutProxy, ...LIMITS });
  const ending = new AbortController();
  onTestFinished(() => {
    ending.abort();
    http.close();
  });
  const done = ship({
    ...{ folder, clock: systemClock, random: systemRandom(), signal: ending.signal, write: () => undefined },
    recorder: recorderUploads({ uri: new URL(recorder.uri), http, tokenFile }),
    isDriverListening: () => Promise.resolve(false),
  });
  return { done };
}
