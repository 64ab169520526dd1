import { describe, expect, onTestFinished, test } from "vitest";
import { connectStaging, type StagingClient } from "../../src/index.ts";
import { sendJson, sendProblem, stubServer } from "../support/stub-server.ts";

const HOSTILE = "a\u001B[2J\u202Eb\nerror: forged";
const HARMLESS = "a\\u{1b}[2J\\u{202e}b error: forged";

async function clientOf(answer: unknown): Promise<StagingClient> {
  const { uri } = await stubServer((_request, response) => sendJson(response, 200, answer));
  const client = connectStaging({ uri });
  onTestFinished(() => client.close());
  return client;
}

const CALLS: readonly (readonly [string, (client: StagingClient) => Promise<unknown>])[] = [
  ["capabilities", (client) => client.capabilities()],
  ["access", (client) => client.access("n")],
  ["a lease", (client) => client.openLease({ namespace: "n" })],
  ["missing", (client) => client.missing({ lease: "l", digests: [] })],
  ["a manifest", (client) => client.manifest("b", { secret: "s" })],
  ["damage", (client) => client.reportDamage("b", "n", { secret: "s" })],
  ["bundles", (client) => client.listBundles()],
  ["a bundle", (client) => client.bundleStatus("b")],
  ["storage", (client) => client.storageStatus()],
  ["a collection", (client) => client.collect()],
];

describe.each([[null], [[]], ["text"], [1]])("an answer that is %j", (answer) => {
  test.each(CALLS)("to the question for %s is an error for the user", async (_, call) => {
    await expect(call(await clientOf(answer))).rejects.toMatchObject({
      fault: "protocol",
      message: expect.stringMatching(/(is not what was asked for|is no bundle's manifest)$/),
    });
  });
});

test.each([
  [{ bundles: "x" }],
  [{ bundles: [null] }],
  [{ bundles: [{ bundleId: 1 }] }],
  [{ bundles: [], continue: 1 }],
])("a list of bundles such as %j is none", async (answer) => {
  await expect((await clientOf(answer)).listBundles()).rejects.toMatchObject({ fault: "protocol" });
});

test("what a server says may be shown", async () => {
  const client = await clientOf({ subject: HOSTILE, allowed: false, reason: HOSTILE.repeat(10_000) });
  const { subject, reason } = await client.access("n");
  expect(subject).toBe(HARMLESS);
  expect(reason?.length).toBeLessThan(17_000);
});

test("what a server refuses with is quoted in one line of at most 1 KiB", async () => {
  const { uri } = await stubServer((_request, response) =>
    sendProblem(response, 403, "forbidden", { detail: HOSTILE.repeat(5_000) }),
  );
  const client = connectStaging({ uri });
  onTestFinished(() => client.close());
  const error: unknown = await client.listBundles().catch((reason: unknown) => reason);
  const { message } = error as Error;
  expect(message).toContain(HARMLESS);
  expect(message.length).toBeLessThan(1200);
});
