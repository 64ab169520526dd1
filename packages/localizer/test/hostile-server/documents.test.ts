import { describe, expect, test } from "vitest";
import { digestOf, manifestDigest } from "@kindling/staging-client";
import { pod, type Finished, type Pod } from "../support/localizer-process.ts";
import { webServer } from "../support/web-server.ts";

const FILE = { name: "a", kind: "jar", digest: digestOf("hello"), size: 5, mode: 0o644 };

/** Lets a staging server answer with a manifest, which is needed because the configuration has no digest. */
async function fetchWith({ run, volume, folder }: Pod, manifest: string): Promise<Finished> {
  const server = await webServer((request, response) => {
    response.end(request.url?.includes("/files/") === true ? "hello" : manifest);
  });
  const app = { server: server.uri, id: "b", secretFile: folder.write("secret", "topsecret") };
  return await run({ bundles: { app }, files: [{ from: { bundle: "app", file: "a" }, to: `${volume}/a` }] });
}

function manifestOf(files: readonly (typeof FILE)[]): string {
  return JSON.stringify({ bundleId: "b", manifestDigest: manifestDigest(files), files });
}

const MANY = `{"bundleId":"b","manifestDigest":"sha256:","files":[`;

describe("hostile server", () => {
  test.each([
    ["with millions of values", `${MANY}${"{},".repeat(1_300_000)}0]}`, "more than 300000 values"],
    ["with as many keys", `${MANY}${keys(350_000)}0]}`, "more than 300000 values"],
    ["of 15 MB", `"${"x".repeat(15_000_000)}"`, "longer than 4194304 bytes"],
    ["nested without end", "[".repeat(4_000_000), "more than 300000 values"],
    ["nested deeply", "[".repeat(299_000), "is no JSON"],
    ["that is no JSON", "<html>", "is no JSON"],
    ["that is null", "null", "is no bundle's manifest"],
    ["that is a list", "[]", "is no bundle's manifest"],
    ["without files", '{"bundleId":"b"}', "is no bundle's manifest"],
    ["of files that are none", manifestOf([FILE]).replace('"size":5', '"size":-1'), "is no bundle's manifest"],
    ["of null", manifestOf([FILE]).replace(/\[.*\]/, "[null]"), "is no bundle's manifest"],
    ["with set-id bits", manifestOf([{ ...FILE, mode: 0o4755 }]), "is no bundle's manifest"],
  ])("a manifest %s is refused, with a reason", async (_, manifest, problem) => {
    const setting = pod();
    const { code, failure, stderr } = await fetchWith(setting, manifest);
    expect(code, stderr).toBe(11);
    expect(failure).toMatchObject({ reason: "protocol", message: expect.stringContaining(problem) as string });
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test("a manifest of many files is read", async () => {
    const setting = pod();
    const others = Array.from({ length: 15_000 }, (_, index) => ({ ...FILE, name: `jars/some-library-${index}.jar` }));
    const { code, stderr } = await fetchWith(setting, manifestOf([...others, FILE]));
    expect(code, stderr).toBe(0);
    expect(setting.tree()).toEqual({ a: "644 hello" });
  });

  test("keys that a service hides in 15 MB are an error", async () => {
    const { run, volume } = pod();
    const agent = await webServer((_, response) => response.end(`{"x":"${"x".repeat(15_000_000)}"}`));
    const { code, failure } = await run(
      { s3: { endpoint: agent.uri }, files: [{ from: { uri: "s3a://b/x" }, to: `${volume}/x` }] },
      { env: { AWS_CONTAINER_CREDENTIALS_FULL_URI: `${agent.uri}/keys` } },
    );
    expect(code).toBe(11);
    expect(failure.message).toContain("longer than 65536 bytes");
  });

  test("so is the status of a file in HDFS", async () => {
    const { run, volume } = pod();
    const node = await webServer((_, response) => response.end(`{"FileStatus":${"[".repeat(15_000_000)}`));
    const uri = `${node.uri.replace("http:", "webhdfs:")}/x`;
    const { code, failure } = await run({ files: [{ from: { uri }, to: `${volume}/x` }] });
    expect(code).toBe(11);
    expect(failure.message).toContain("longer than 65536 bytes");
  });
});

function keys(count: number): string {
  return Array.from({ length: count }, (_, index) => `{"${index.toString(36)}":0},`).join("");
}
