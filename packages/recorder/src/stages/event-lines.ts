import { pipeline, type Readable, type Transform } from "node:stream";
import * as zlib from "node:zlib";

/** Longer lines are left out. Those about stages have some kilobytes. */
const LONGEST_LINE = 8 * 1024 * 1024;
const LINE_END = 0x0a;

/**
 * Those lines of a file of an event log that begin with one of some texts. If the file ends in the middle, as that of a killed
 * driver, the lines before that are given. There are none if this Node cannot read the file's compression.
 *
 * @param name of the file; its end says how it is compressed, `events_1_spark-….zstd`
 * @param open opens it; `undefined` if it is not there
 */
export async function* eventLines(
  name: string,
  open: () => Promise<Readable | undefined>,
  beginnings: readonly Buffer[],
): AsyncGenerator<string, void> {
  const text = await textOf(name, open);
  if (text === undefined) return;
  const isWanted = (line: Buffer): boolean =>
    line.length <= LONGEST_LINE && beginnings.some((one) => line.subarray(0, one.length).equals(one));
  let pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of text as AsyncIterable<Buffer>) {
      let start = 0;
      for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, start)) {
        const last = chunk.subarray(start, end);
        const line = pieces.length === 0 ? last : Buffer.concat([...pieces, last]);
        if (length + last.length <= LONGEST_LINE && isWanted(line)) yield line.toString("utf8");
        [pieces, length, start] = [[], 0, end + 1];
      }
      length += chunk.length - start;
      if (length > LONGEST_LINE) pieces = [];
      else if (start < chunk.length) pieces.push(chunk.subarray(start));
    }
  } catch (error) {
    if (!isOfCompression(error)) throw error;
  } finally {
    text.destroy();
  }
}

async function textOf(name: string, open: () => Promise<Readable | undefined>): Promise<Readable | undefined> {
  const [, codec] = /\.([a-z0-9]+)(?:\.inprogress)?$/.exec(name) ?? [];
  if (codec === undefined) return await open();
  const decompressor = codec === "zstd" ? zstdDecompressor() : undefined;
  const content = decompressor && (await open());
  if (decompressor === undefined || content === undefined) return undefined;
  // An error is thrown where the text is read.
  return pipeline(content, decompressor, () => undefined);
}

/** Node has it from 22.15 on. */
function zstdDecompressor(): Transform | undefined {
  const create: unknown = Reflect.get(zlib, "createZstdDecompress");
  return typeof create === "function" ? (create as () => Transform)() : undefined;
}

function isOfCompression(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return typeof code === "string" && /^(?:Z_|ZSTD_)/.test(code);
}
