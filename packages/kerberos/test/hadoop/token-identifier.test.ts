import { expect, it } from "vitest";
import { tokenIdentifier } from "../../src/hadoop/token-identifier.ts";

/** As Hadoop writes it (AbstractDelegationTokenIdentifier.write), for alice, whose token kindling may renew. */
const IDENTIFIER = Buffer.concat([
  Buffer.from([0, 5]),
  Buffer.from("alice"),
  Buffer.from([8]),
  Buffer.from("kindling"),
  Buffer.from([0]),
  // 2026-01-01T00:00:00Z and a week later, in six bytes each, then the numbers of the token and of the key.
  ...[1_767_225_600_000, 1_767_830_400_000].map((time) => {
    const bytes = Buffer.alloc(7);
    bytes[0] = 0x8a;
    bytes.writeUIntBE(time, 1, 6);
    return bytes;
  }),
  Buffer.from([1, 2]),
]);

it("reads who owns a token, who may renew it, and when it ends", () => {
  expect(tokenIdentifier({ identifier: IDENTIFIER })).toStrictEqual({
    owner: "alice",
    renewer: "kindling",
    issueDate: Date.UTC(2026, 0, 1),
    maxDate: Date.UTC(2026, 0, 8),
  });
});

it("knows nothing about other identifiers", () => {
  expect(tokenIdentifier({ identifier: Buffer.from("id2") })).toBeUndefined();
  expect(tokenIdentifier({ identifier: IDENTIFIER.subarray(0, 20) })).toBeUndefined();
  expect(tokenIdentifier({ identifier: Buffer.alloc(0) })).toBeUndefined();
});
