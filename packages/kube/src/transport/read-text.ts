import type { IncomingMessage } from "node:http";

/** Reads an answer to its end as UTF-8. Rejects with the connection's own error, or a RangeError for too long a one. */
export function readText(response: IncomingMessage, mostBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    response.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length > mostBytes) response.destroy(new RangeError(`the answer is longer than ${mostBytes} bytes`));
      else chunks.push(chunk);
    });
    response.on("end", () => resolve(textOf(chunks)));
    response.on("error", reject);
  });
}

/**
 * The beginning of an answer, as much of it as comes: of an error's page nothing depends on the rest, and its status is
 * worth more than the fault of its end. Never rejects.
 */
export function readBeginning(response: IncomingMessage, mostBytes: number): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = (): void => resolve(textOf(chunks));
    response.on("data", (chunk: Buffer) => {
      chunks.push(chunk.subarray(0, mostBytes - length));
      length += chunk.length;
      if (length < mostBytes) return;
      finish();
      response.destroy();
    });
    response.on("end", finish);
    response.on("error", finish);
  });
}

function textOf(chunks: readonly Buffer[]): string {
  const [only] = chunks;
  return only !== undefined && chunks.length === 1 ? only.toString("utf8") : Buffer.concat(chunks).toString("utf8");
}
