import { isKindlingError, messageOf } from "@kindling/core-spec";
import { httpTransport, withoutProxy } from "@kindling/http";
import { systemClock } from "@kindling/outside";
import { isListening } from "./is-listening.ts";
import { recorderUploads } from "./recorder-uploads.ts";
import { readSettings } from "./settings.ts";
import { ship } from "./ship.ts";

const NAME = "kindling-event-log-shipper";
const USAGE = `usage: ${NAME}   bring a driver's event log to the recorder; the environment says which\n`;
const LIMITS = { connectTimeoutMs: 5_000, stallTimeoutMs: 10_000, answerTimeoutMs: 30_000, maxConnections: 1 };

/**
 * The command. It always ends with 0: the pod of a driver that has succeeded would fail with it, and an event log is not worth
 * that.
 */
async function main(args: readonly string[]): Promise<void> {
  if (args.length > 0) {
    process.stdout.write(USAGE);
    return;
  }
  const { folder, uri, tokenFile, authorities, driverPort } = readSettings(process.env);
  const http = httpTransport({ clock: systemClock, tls: { ca: [...authorities] }, proxies: withoutProxy, ...LIMITS });
  const ending = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => ending.abort());
  const isWhole = await ship({
    ...{ folder, clock: systemClock, signal: ending.signal, write },
    recorder: recorderUploads({ uri, http, tokenFile }),
    isDriverListening: () => isListening(driverPort),
  });
  write(isWhole ? "the recorder has the event log" : "the recorder does not have all of the event log");
  http.close();
}

function write(line: string): void {
  process.stderr.write(`${NAME}: ${line}\n`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  write(messageOf(error));
  if (isKindlingError(error) && error.hint !== undefined) write(`  ${error.hint}`);
});
