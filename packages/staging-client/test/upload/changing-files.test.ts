import { appendFileSync, renameSync } from "node:fs";
import { expect, it } from "vitest";
import { uploadBundle } from "../../src/index.ts";
import { localFiles } from "../support/files.ts";
import { memoryServer } from "../support/memory-server.ts";
import { clientOf, OWNER } from "../support/uploads.ts";

it("tells of a file that changes while it is uploaded", async () => {
  const server = await memoryServer();
  const files = await localFiles({ a: 50_000 });
  server.intercept = (_request, _response, line) => {
    if (line.includes("blobs:missing")) appendFileSync(files[0]?.path ?? "", "more");
    return false;
  };
  await expect(uploadBundle(clientOf(server), { files, owner: OWNER })).rejects.toMatchObject({
    fault: "file-changed",
    message: expect.stringContaining(files[0]?.path ?? "") as string,
  });
  expect(server.bundles).toEqual([]);
});

it("refuses files that cannot be read, before anything is sent", async () => {
  const server = await memoryServer();
  for (const path of ["/no/such/file", "/"]) {
    const files = [{ path, name: "a", kind: "file" }];
    await expect(uploadBundle(clientOf(server), { files, owner: OWNER })).rejects.toMatchObject({
      fault: "file",
      code: "FILE_UNREADABLE",
    });
  }
  const owner = { ...OWNER, ownerLabels: {} };
  await expect(uploadBundle(clientOf(server), { files: [], owner })).rejects.toMatchObject({
    code: "ARGUMENT_INVALID",
  });
  expect(server.lines).toEqual([]);
});

it("sends a file that was replaced by another of the same name as what it is now", async () => {
  const server = await memoryServer();
  const [a, b] = await localFiles({ a: 20_000, b: 20_000 });
  server.intercept = (_request, _response, line) => {
    if (line.includes("blobs:missing")) renameSync(b?.path ?? "", a?.path ?? "");
    return false;
  };
  await expect(
    uploadBundle(clientOf(server), { files: [a].filter((file) => file !== undefined), owner: OWNER }),
  ).rejects.toMatchObject({ fault: "file-changed" });
});
