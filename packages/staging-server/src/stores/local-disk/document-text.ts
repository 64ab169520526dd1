import type { FileHandle } from "node:fs/promises";
import { digester, digestOf } from "@kindling/staging-client";

/*
 * A document on a disk is a line with the SHA-256 of its JSON text, and then the JSON text. Documents of older versions
 * are the JSON text alone. No JSON text begins like the line.
 */

const HEAD = /^(sha256:[0-9a-f]{64})\n/;

/** The contents of a document's file. */
export function sealedText(json: string): string {
  return `${digestOf(json)}\n${json}`;
}

/** The JSON text of a document; `undefined` if the file's contents are not what was written. */
export function unsealedText(text: string): string | undefined {
  const [head, digest] = HEAD.exec(text) ?? [];
  if (head === undefined) return isJson(text) ? text : undefined;
  const json = text.slice(head.length);
  return digestOf(json) === digest ? json : undefined;
}

// `sha256:`, 64 hexadecimal digits, and a line end.
const HEAD_BYTES = 72;
const PIECE_BYTES = 256 * 1024;

/** Whether a file holds a document with its checksum; takes little memory, whatever its size. */
export async function isSealed(file: FileHandle): Promise<boolean> {
  const hash = digester();
  const buffer = Buffer.allocUnsafeSlow(PIECE_BYTES);
  const head = await file.read(buffer, 0, HEAD_BYTES, 0);
  const [, digest] = HEAD.exec(buffer.toString("latin1", 0, head.bytesRead)) ?? [];
  if (digest === undefined) return false;
  for (let position = HEAD_BYTES; ;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return hash.digest() === digest;
    hash.update(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
