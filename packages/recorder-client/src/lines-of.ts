import type { Readable } from "node:stream";

/** In characters; a longer line comes in pieces. */
const LONGEST_LINE = 4 * 1024 * 1024;

/** The lines of a text, without their line ends; the last one may lack its own. */
export async function* linesOf(text: Readable): AsyncGenerator<string, void> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let rest = "";
  for await (const chunk of text) {
    const pieces = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split("\n");
    rest = pieces.pop() ?? "";
    yield* pieces;
    if (rest.length > LONGEST_LINE) {
      yield rest;
      rest = "";
    }
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}
