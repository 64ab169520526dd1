import process from "node:process";
import { systemClock, systemRandom } from "@kindling/outside";
import { listeningAt } from "./is-listening.ts";
import { runRecorderCommand } from "./recorder-command.ts";
import { recorderUploads } from "./recorder-uploads.ts";
import { readSettings } from "./settings.ts";
import { ship } from "./ship.ts";

// It always ends with 0: the pod of a driver that has succeeded would fail with it, and an event log is not worth that.
void runRecorderCommand(
  {
    name: "kindling-event-log-shipper",
    purpose: "bring a driver's event log to the recorder",
    limits: { connectTimeoutMs: 5_000, stallTimeoutMs: 10_000, answerTimeoutMs: 30_000, maxConnections: 1 },
    settingsIn: readSettings,
    async work({ folder, uri, tokenFile, driverPort }, { http, signal, write }) {
      const isWhole = await ship({
        ...{ folder, clock: systemClock, random: systemRandom(), signal, write },
        recorder: recorderUploads({ uri, http, tokenFile }),
        isDriverListening: listeningAt(driverPort),
      });
      write(isWhole ? "the recorder has the event log" : "the recorder does not have all of the event log");
    },
  },
  process,
);
