import { expect, it } from "vitest";
import { uploadBundle } from "../../src/index.ts";
import { localFiles } from "../support/files.ts";
import { memoryServer } from "../support/memory-server.ts";
import { sendProblem } from "../support/stub-server.ts";
import { clientOf, count, OWNER } from "../support/uploads.ts";

it.each([1, 100, 65_535, 65_536, 1_000_000, 1_999_999])(
  "resumes an upload that was cut after %i bytes",
  async (cut) => {
    const server = await memoryServer();
    const files = await localFiles({ large: 2_000_000 });
    server.cutBodyAfter = cut;
    const bundle = await uploadBundle(clientOf(server), { files, owner: OWNER });
    expect(server.blobs.get(files[0]?.digest ?? "")?.equals(files[0]?.bytes ?? Buffer.alloc(0))).toBe(true);
    expect(count(server, /^HEAD/)).toBeGreaterThan(0);
    expect(bundle.progress).toMatchObject({ bytesSent: 2_000_000, filesSent: 1 });
  },
);

it("resumes however often it is cut, as long as it gets on", async () => {
  const server = await memoryServer();
  const files = await localFiles({ large: 1_000_000 });
  server.intercept = (_request, _response, line) => {
    if (line.startsWith("PATCH")) server.cutBodyAfter ??= 90_000;
    return false;
  };
  await uploadBundle(clientOf(server), { files, owner: OWNER });
  expect(count(server, /^PATCH/)).toBeGreaterThan(8);
  expect(server.blobs.size).toBe(1);
  // Bytes that the server has are not sent again.
  expect(server.received).toBeLessThan(1_000_000 + 12 * 150_000);
});

it("begins an upload anew that the server has forgotten, but not for ever", async () => {
  const server = await memoryServer();
  const files = await localFiles({ large: 200_000 });
  server.cutBodyAfter = 100_000;
  let forgotten = 0;
  server.intercept = (_request, _response, line) => {
    if (line.startsWith("HEAD") && forgotten++ === 0) server.forgetUploads();
    return false;
  };
  await uploadBundle(clientOf(server), { files, owner: OWNER });
  expect(server.blobs.size).toBe(1);

  const other = await localFiles({ other: 200_000 });
  server.intercept = (_request, response, line) => {
    if (!line.startsWith("PATCH")) return false;
    sendProblem(response, 410, "upload-gone");
    return true;
  };
  await expect(uploadBundle(clientOf(server), { files: other, owner: OWNER })).rejects.toMatchObject({ fault: "gone" });
});

it.each(["inconsistent-upload-length", "completed-upload"])(
  "is done with a file that somebody else has completed meanwhile, as %s tells",
  async (problem) => {
    const server = await memoryServer();
    const [file] = await localFiles({ large: 200_000 });
    if (file === undefined) throw new Error("no file");
    server.intercept = (request, response, line) => {
      const type = `https://iana.org/assignments/http-problem-types#${problem}`;
      if (line.startsWith("PATCH")) {
        server.blobs.set(file.digest, file.bytes);
        request.resume();
        sendProblem(response, problem === "completed-upload" ? 410 : 400, type);
      } else if (line.startsWith("HEAD")) {
        response.writeHead(204, { "upload-offset": 200_000, "upload-complete": "?1" }).end();
      } else return false;
      return true;
    };
    const bundle = await uploadBundle(clientOf(server), { files: [file], owner: OWNER });
    expect(bundle.files).toMatchObject([{ digest: file.digest }]);
    expect([count(server, /^PATCH/), count(server, /^HEAD/)]).toEqual([1, 1]);
  },
);

it("goes on where the server says, if the two disagree", async () => {
  const server = await memoryServer();
  const files = await localFiles({ large: 200_000 });
  server.cutBodyAfter = 120_000;
  let lied = false;
  server.intercept = (_request, response, line) => {
    if (!line.startsWith("HEAD") || lied) return false;
    lied = true;
    response.writeHead(204, { "upload-offset": 50_000, "upload-complete": "?0" }).end();
    return true;
  };
  await uploadBundle(clientOf(server), { files, owner: OWNER });
  expect(server.blobs.get(files[0]?.digest ?? "")?.equals(files[0]?.bytes ?? Buffer.alloc(0))).toBe(true);
});
