import { Readable } from "node:stream";
import { harmlessText } from "@kindling/core-spec";
import type { PageAnswer } from "@kindling/service";
import { PAGE_HEADERS } from "../page/page-answer.ts";
import type { LogLines } from "./visible-history.ts";

/** A longer line is cut, in bytes: nobody reads it, and it may be the whole log. */
const LONGEST_LINE = 1024 * 1024;

/**
 * A log as text, sent at the speed of its reader. A browser shows it; escape sequences would reach a terminal that it is
 * printed on.
 *
 * @param onClose called when it is sent, or nobody reads it any more
 */
export function logAnswer(log: LogLines, onClose: () => void): PageAnswer {
  const body = Readable.from(blocks(log.lines), { objectMode: false });
  body.once("close", () => {
    onClose();
    // Without effect if it has been read to its end. Nothing may have been read of it yet.
    void log.close().catch(() => undefined);
  });
  return {
    status: 200,
    headers: { ...PAGE_HEADERS, "cache-control": "private, no-store", "content-type": "text/plain; charset=utf-8" },
    body,
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
