import { systemClock } from "@kindling/outside";
import { testAuthority } from "@kindling/test-kit/certificates";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { sendJson, startStub } from "@kindling/test-kit/stub-server";
import { expect, onTestFinished, test } from "vitest";
import { openRecorder } from "../../../src/controllers/held-deletions/open-recorder.ts";

const POD = { namespace: "spark-jobs", name: "drv-exec-1", uid: "uid-1" };

test("the recorder is asked over TLS, with the token that the kubelet has renewed last", async () => {
  const [authority, stranger] = [testAuthority("own"), testAuthority("stranger")];
  const folder = scratchFolder();
  const recorder = await startStub(
    (_, response) => sendJson(response, { pods: [{ uid: POD.uid, end: "recorded" }] }),
    authority.issue("recorder"),
  );
  const opened = openRecorder(
    {
      "recorder.uri": recorder.url,
      "recorder.tokenFile": folder.write("token", "first\n"),
      "recorder.caFile": folder.write("ca.crt", stranger.cert),
    },
    systemClock,
  );
  onTestFinished(() => opened?.close());
  await expect(opened?.ask([POD])).rejects.toThrow("the recorder does not answer");
  folder.write("ca.crt", authority.cert);
  expect(await opened?.ask([POD])).toEqual(new Map([[POD.uid, "recorded"]]));
  folder.write("token", "second\n");
  await opened?.ask([POD]);
  expect(recorder.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer first", "Bearer second"]);
});

test("without a recorder, there is nobody to ask", () => {
  const none = { "recorder.uri": undefined, "recorder.tokenFile": undefined, "recorder.caFile": undefined };
  expect(openRecorder(none, systemClock)).toBeUndefined();
});
