import { createGunzip, gunzipSync } from "node:zlib";
import { pipeline } from "node:stream/promises";
import { PassThrough, Readable } from "node:stream";
import type { Archive } from "../archive/archive.ts";
import type { RunPlace } from "@kindling/recorder-client";
import { logFolder } from "../archive/archive-paths.ts";
import type { UnstoredLog } from "../spool/kept-log.ts";

/** A part of a log in the archive. */
export interface LogPart {
  readonly path: string;
  readonly number: number;
}

/**
 * The parts of a log, in order. Numbers that are missing between them were left out, because the log is longer than allowed.
 *
 * @throws ArchiveError
 */
export async function logParts(archive: Archive, place: RunPlace, name: string): Promise<readonly LogPart[]> {
  const parts: LogPart[] = [];
  for await (const { path } of archive.list(logFolder(place, name))) {
    const number = Number(/\/(\d+)\.log\.gz$/.exec(path)?.[1] ?? "0");
    if (number > 0) parts.push({ path, number });
  }
  return parts.toSorted((a, b) => a.number - b.number);
}

/** The text of a log. A line says where parts are missing. */
export function logText(archive: Archive, parts: readonly LogPart[]): Readable {
  return Readable.from(textOf(archive, parts), { objectMode: false });
}

/** The text of a log that is not stored whole yet. */
export function textInProgress(archive: Archive, parts: readonly LogPart[], unstored: UnstoredLog): Readable {
  const text = async function* (): AsyncGenerator<Buffer, void> {
    yield* textOf(
      archive,
      parts.filter(({ number }) => number <= unstored.stored),
    );
    yield* unstored.text();
  };
  const stream = Readable.from(text(), { objectMode: false });
  // Also if nobody has begun to read it.
  stream.once("close", () => unstored.close());
  return stream;
}

async function* textOf(archive: Archive, parts: readonly LogPart[]): AsyncGenerator<Buffer, void> {
  let expected = 1;
  for (const { path, number } of parts) {
    if (number > expected) yield missing(number - expected);
    expected = number + 1;
    const stored = await archive.open(path);
    if (stored === undefined) {
      yield missing(1);
      continue;
    }
    const text = new PassThrough();
    const reading = pipeline(stored, createGunzip(), text);
    reading.catch(() => undefined);
    for await (const chunk of text) yield chunk as Buffer;
    await reading;
  }
}

function missing(count: number): Buffer {
  return Buffer.from(
    `[kindling: ${count === 1 ? "a part" : `${count} parts`} of this log ${count === 1 ? "is" : "are"} not kept]\n`,
  );
}

/**
 * The last lines of a log.
 *
 * @throws ArchiveError
 */
export async function logTail(archive: Archive, parts: readonly LogPart[], count: number): Promise<readonly string[]> {
  let lines: string[] = [];
  for (const { path } of parts.toReversed()) {
    const stored = await archive.read(path);
    if (stored === undefined) continue;
    const text = gunzipSync(stored, { maxOutputLength: MOST_PART_BYTES }).toString("utf8");
    const own = text.split("\n");
    if (own.at(-1) === "") own.pop();
    lines = [...own.slice(-(count - lines.length)), ...lines];
    if (lines.length >= count) break;
  }
  return lines;
}

/** No part is longer, so a longer one is not ours. */
const MOST_PART_BYTES = 64 * 1024 * 1024;
