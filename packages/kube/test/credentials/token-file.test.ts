import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadClusterAccess, resources } from "../../src/index.ts";
import { asAsked } from "../fixtures/as-asked.ts";
import { caught } from "../fixtures/caught.ts";
import { ManualClock } from "@kindling/outside";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { startStub } from "@kindling/test-kit/stub-server";
import { sendStatus } from "../fixtures/send-status.ts";
import { testClient } from "../fixtures/test-client.ts";

test("a token file is read again after a minute", async () => {
  const folder = scratchFolder();
  const clock = new ManualClock();
  const file = folder.write("token", "first\n");
  const overlays = { server: "https://api.example.com", tokenFile: file };
  const { credentials } = await loadClusterAccess({ env: { KUBECONFIG: "/dev/null" }, clock, overlays });
  expect(await credentials.current()).toEqual({ authorization: "Bearer first" });
  writeFileSync(file, "second\n");
  clock.advanceAtOnce(59_000);
  expect(await credentials.current()).toEqual({ authorization: "Bearer first" });
  clock.advanceAtOnce(2_000);
  expect(await credentials.current()).toEqual({ authorization: "Bearer second" });
});

test("a token file is read again at once when the server refuses its token", async () => {
  const folder = scratchFolder();
  const file = folder.write("token", "old");
  const stub = await startStub((request, response) => {
    if (request.headers.authorization === "Bearer new") asAsked(request, response);
    else sendStatus(response, 401, "Unauthorized");
  });
  const overlays = { server: stub.url, tokenFile: file };
  const client = testClient(await loadClusterAccess({ env: { KUBECONFIG: "/dev/null" }, overlays }));
  await caught(client.get(resources.pods, "p"));
  // The token did not change, so there was no point in asking twice.
  expect(stub.requests).toHaveLength(1);
  writeFileSync(file, "new");
  await client.get(resources.pods, "p");
  expect(stub.requests.map((request) => request.headers.authorization)).toEqual([
    "Bearer old",
    "Bearer old",
    "Bearer new",
  ]);
});
