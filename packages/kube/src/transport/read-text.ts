import type { IncomingMessage } from "node:http";

/** Larger answers are refused: they would not fit into a string. */
export const LONGEST_ANSWER_BYTES: number = 256 * 1024 * 1024;

/** Reads an answer to its end as UTF-8. Rejects with the connection's own error, or a RangeError for too long a one. */
export function readText(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    response.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length > LONGEST_ANSWER_BYTES)
        response.destroy(new RangeError(`the answer is longer than ${LONGEST_ANSWER_BYTES} bytes`));
      else chunks.push(chunk);
    });
    response.on("end", () => {
      const [only] = chunks;
      resolve(
        only !== undefined && chunks.length === 1 ? only.toString("utf8") : Buffer.concat(chunks).toString("utf8"),
      );
    });
    response.on("error", reject);
  });
}
