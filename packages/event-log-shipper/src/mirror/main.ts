import { readFile } from "node:fs/promises";
import process from "node:process";
import { systemClock } from "@kindling/outside";
import { connectRecorder, fetchEventLog } from "@kindling/recorder-client";
import { runRecorderCommand } from "../recorder-command.ts";
import { mirror } from "./mirror.ts";
import { readMirrorSettings } from "./mirror-settings.ts";

void runRecorderCommand(
  {
    name: "kindling-event-log-mirror",
    purpose: "bring event logs from the recorder to Spark's history server",
    limits: { connectTimeoutMs: 5_000, stallTimeoutMs: 30_000, answerTimeoutMs: 60_000, maxConnections: 2 },
    settingsIn: readMirrorSettings,
    async work({ folder, uri, tokenFile, wanted }, { http, signal, write }) {
      const recorder = connectRecorder({
        ...{ uri, http, credentialsField: "authorization", signal },
        // The kubelet renews it.
        token: async () => (await readFile(tokenFile, "utf8")).trim(),
      });
      if (wanted.kind === "namespaces")
        await mirror({ recorder, folder, clock: systemClock, signal, write, ...wanted });
      else if ((await fetchEventLog(recorder, wanted.uid, { folder, signal })) === undefined)
        throw new Error(`the recorder keeps no event log of the run ${wanted.uid}`);
    },
  },
  process,
).then((isDone) => {
  process.exitCode = isDone ? 0 : 1;
});
