const LINE_FEED = 0x0a;

/** Cuts a stream of bytes into lines. */
export interface LineSplitter {
  /** The lines that are complete now, without their line feeds; empty ones are left out. */
  push(chunk: Buffer): Buffer[];
  /** What has come after the last line feed. */
  rest(): Buffer;
}

/** A line is longer than allowed. */
export class LineTooLong extends Error {}

/**
 * Splits at bytes, not at characters: a line feed byte never occurs inside a UTF-8 sequence, whereas chunks may end
 * inside one.
 */
export function lineSplitter(longest: number): LineSplitter {
  let parts: Buffer[] = [];
  let held = 0;

  function take(last: Buffer): Buffer {
    const line = parts.length === 0 ? last : Buffer.concat([...parts, last]);
    parts = [];
    held = 0;
    return line;
  }

  return {
    push(chunk) {
      const lines: Buffer[] = [];
      let start = 0;
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
        if (held + end - start > longest) throw new LineTooLong();
        const line = take(chunk.subarray(start, end));
        if (line.length > 0) lines.push(line);
        start = end + 1;
      }
      held += chunk.length - start;
      if (held > longest) throw new LineTooLong();
      if (start < chunk.length) parts.push(start === 0 ? chunk : chunk.subarray(start));
      return lines;
    },
    rest: () => take(Buffer.alloc(0)),
  };
}
