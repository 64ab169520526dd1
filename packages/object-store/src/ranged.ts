import type { HttpResponse } from "@kindling/http";
import type { ByteRange } from "./byte-range.ts";
import { ObjectStoreError } from "./object-store-error.ts";

/** The header fields of a request for a range of an object. */
export function rangeField({ start, end }: ByteRange): { readonly range: string } {
  return { range: `bytes=${start}-${end - 1}` };
}

/**
 * The answer to a request for a range. A server without ranges sends everything, which is right only for a range from the
 * beginning.
 *
 * @throws ObjectStoreError `protocol`
 */
export function ranged(response: HttpResponse, key: string, { start }: ByteRange): HttpResponse {
  if (response.status === 206 || start === 0) return response;
  response.body.destroy();
  throw new ObjectStoreError("protocol", `${response.url.host} gives another range of ${key} than the one asked for`);
}
