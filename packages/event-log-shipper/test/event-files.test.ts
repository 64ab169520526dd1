import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { expect, test } from "vitest";
import { eventFiles } from "../src/index.ts";

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = scratchFolder().mkdir("events");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

test("the files of an event log come in the order in which Spark has written them", async () => {
  const folder = folderWith({
    "eventlog_v2_spark-1/appstatus_spark-1.inprogress": "",
    "eventlog_v2_spark-1/events_10_spark-1.zstd": "ten",
    "eventlog_v2_spark-1/events_9_spark-1.zstd": "nine",
  });
  expect(await eventFiles(folder)).toEqual([
    { path: "eventlog_v2_spark-1/events_9_spark-1.zstd", size: 4, isRolled: true },
    { path: "eventlog_v2_spark-1/events_10_spark-1.zstd", size: 3, isRolled: false },
    { path: "eventlog_v2_spark-1/appstatus_spark-1.inprogress", size: 0, isRolled: false },
  ]);
});

test("other files are none of it, and a folder may be missing", async () => {
  const folder = folderWith({
    "notes.txt": "x",
    "eventlog_v2_spark-1/.events_1_spark-1.crc": "x",
    "eventlog_v2_spark-1/compact": "x",
    "other/events_1_spark-1": "x",
  });
  expect(await eventFiles(folder)).toEqual([]);
  expect(await eventFiles(join(folder, "nowhere"))).toEqual([]);
});
