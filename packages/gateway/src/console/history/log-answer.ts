import { Readable } from "node:stream";
import { harmlessText } from "@kindling/core-spec";
import type { PageAnswer } from "@kindling/service";
import { PAGE_HEADERS } from "../page/page-answer.ts";

/** A longer line is cut, in bytes: nobody reads it, and it may be the whole log. */
const LONGEST_LINE = 1024 * 1024;

/**
 * A log as text, sent at the speed of its reader. A browser shows it; escape sequences would reach a terminal that it is
 * printed on.
 */
export function logAnswer(lines: AsyncIterable<string>): PageAnswer {
  return {
    status: 200,
    headers: { ...PAGE_HEADERS, "cache-control": "private, no-store", "content-type": "text/plain; charset=utf-8" },
    body: Readable.from(blocks(lines), { objectMode: false }),
  };
}

const BLOCK_LENGTH = 64 * 1024;

/** Many lines at once: each has a cost of its own on its way. */
async function* blocks(lines: AsyncIterable<string>): AsyncGenerator<string, void> {
  let block = "";
  for await (const line of lines) {
    block += `${harmlessText(line.replaceAll("\t", "    "), LONGEST_LINE)}\n`;
    if (block.length < BLOCK_LENGTH) continue;
    yield block;
    block = "";
  }
  if (block !== "") yield block;
}
