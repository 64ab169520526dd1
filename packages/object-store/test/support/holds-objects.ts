import { buffer } from "node:stream/consumers";
import { expect } from "vitest";
import type { ObjectBucket } from "../../src/object-bucket.ts";

/**
 * Puts objects into an empty bucket, lists them, reads them in ranges and deletes one.
 *
 * @param odd a key below `a/` with letters that an address has to encode; it comes after `a/1`
 */
export async function holdsObjects(bucket: ObjectBucket, odd: string): Promise<void> {
  const keys = ["a/1", odd, "b"];
  for (const key of keys) await bucket.put(key, { body: Buffer.from(`bytes of ${key}`), metadata: { "of-key": "x" } });
  const listed: string[] = [];
  for await (const { key, version } of bucket.list("a/")) {
    listed.push(key);
    expect((await bucket.readText(key))?.version).toBe(version);
  }
  expect(listed).toEqual(["a/1", odd]);
  expect(await bucket.folders("")).toEqual(["a"]);
  expect(await bucket.stat("b")).toEqual({ size: 10, metadata: { "of-key": "x" } });
  const response = await bucket.open("b", { start: 3, end: 8 });
  expect(response && (await buffer(response.body)).toString()).toBe("es of");
  await bucket.delete("b");
  await bucket.delete("b");
  expect([await bucket.stat("b"), await bucket.open("b", { start: 0, end: 1 })]).toEqual([undefined, undefined]);
}
