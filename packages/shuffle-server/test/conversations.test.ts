import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { CONVERSATIONS, writeFiles } from "./support/conversations.ts";
import { DIFFERENCES } from "./support/differences.ts";
import { start } from "./support/server.ts";
import { ShuffleFiles } from "./support/shuffle-files.ts";
import { converse, type Answered } from "./support/transcript.ts";

const VERSIONS = ["3.5.9", "4.3.0"];

/** Spark's answers, with those in their place that differ by intention. */
function wanted(version: string, name: string): readonly Answered[] {
  const path = new URL(`recordings/${version}.json`, import.meta.url);
  const recorded = JSON.parse(readFileSync(path, "utf8")) as Record<string, readonly Answered[]>;
  const differences = DIFFERENCES[name] ?? {};
  return (recorded[name] ?? []).map((answered) => {
    const difference = differences[answered.exchange];
    return difference === undefined ? answered : { ...answered, ...difference.ours };
  });
}

describe.each(VERSIONS)("answers as Spark %s does", (version) => {
  test.each(CONVERSATIONS)("$name", async (conversation) => {
    const files = new ShuffleFiles();
    writeFiles(files);
    await using running = await start({}, files);
    const expected = wanted(version, conversation.name);
    expect(await converse(running.server.port, conversation, files, expected)).toEqual(expected);
  });
});

test("every difference belongs to an exchange, and differs", () => {
  const unknown = Object.entries(DIFFERENCES).flatMap(([name, exchanges]) => {
    const known = CONVERSATIONS.find((conversation) => conversation.name === name)?.exchanges.map((one) => one.name);
    return Object.keys(exchanges).filter((exchange) => known?.includes(exchange) !== true);
  });
  expect(unknown).toEqual([]);
});
