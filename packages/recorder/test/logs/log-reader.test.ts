import { backgroundClock } from "@kindling/outside";
import { expect, test } from "vitest";
import { LogReader } from "../../src/logs/log-reader.ts";
import { RunSpool } from "../../src/spool/run-spool.ts";
import { testFolder } from "../support/archives.ts";
import { ENDLESS_ROOM } from "../support/endless-room.ts";

const TIME = "2026-12-01T10:00:00.5Z";

/** Reads what a kubelet answers; gives the result, and the lines that are kept. */
async function readFrom(...answer: readonly string[]): Promise<readonly [string, readonly string[]]> {
  const options = { folder: await testFolder(), partBytes: 1_000_000, room: ENDLESS_ROOM };
  const run = await RunSpool.open(options, () => undefined);
  const spool = run.log("driver");
  async function* lines(): AsyncGenerator<string, void> {
    yield* await Promise.resolve(answer);
  }
  async function* bytes(): AsyncGenerator<Uint8Array, void> {
    for await (const line of lines()) yield Buffer.from(`${line}\n`);
  }
  const stream = { lines, close: () => undefined, [Symbol.asyncIterator]: bytes };
  const reader = new LogReader({
    client: { logs: () => Promise.resolve(stream) },
    clock: backgroundClock,
    container: { namespace: "etl", pod: "daily-driver", uid: "u", container: "spark" },
    spool,
    redact: (line) => line,
  });
  const result = await reader.read({ follow: false, signal: new AbortController().signal });
  return [result, await spool.tail(10)];
}

test.each([
  `unable to retrieve container logs for containerd://${"5".repeat(64)}`,
  `Unable to retrieve container logs for cri-o://${"a".repeat(64)}`,
  'failed to try resolving symlinks in path "/var/log/pods/x/spark/0.log": lstat /var/log/pods/x: no such file or directory',
])("what a kubelet says of a log that it has thrown away is no line of that log: %s", async (words) => {
  expect(await readFrom(`${TIME} one`, words)).toEqual(["no-log", ["one"]]);
});

test("a container may say the same", async () => {
  const words = `unable to retrieve container logs for containerd://${"5".repeat(64)}`;
  expect(await readFrom(`${TIME} ${words}`, "and more")).toEqual(["read", [words, "and more"]]);
});
