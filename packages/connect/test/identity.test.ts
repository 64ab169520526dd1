import { randomUUID } from "node:crypto";
import { systemClock } from "@kindling/outside";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readOpening } from "../src/calls/opening.ts";
import { withIdentity } from "../src/calls/with-identity.ts";
import { GrpcError } from "../src/grpc/grpc-status.ts";
import { type WrittenField, writeMessage } from "../src/protobuf/write-message.ts";
import { framed, identityIn } from "@kindling/test-kit/connect-messages";
import { receivedBody } from "./support/received-body.ts";

const MOST = 1024 * 1024;

async function passOn(chunks: readonly Buffer[]): Promise<Buffer> {
  const stream = receivedBody(chunks);
  const opening = await readOpening(stream, MOST, { clock: systemClock, milliseconds: 5000 });
  const { begun, pass, end } = withIdentity(opening, "alice");
  const passed = [begun];
  return await new Promise((resolve, reject) => {
    const unlessWrong = (work: () => void): void => {
      try {
        work();
      } catch (error) {
        reject(error);
      }
    };
    stream.receive({
      data: ({ bytes }) => unlessWrong(() => passed.push(...pass(bytes))),
      end: () =>
        unlessWrong(() => {
          end();
          resolve(Buffer.concat(passed));
        }),
    });
  });
}

/** Cuts bytes into pieces at these places. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places.map((place) => place % bytes.length))].toSorted((a, b) => a - b);
  return [0, ...ends].map((start, index) => bytes.subarray(start, ends[index] ?? bytes.length));
}

const field: fc.Arbitrary<WrittenField> = fc.tuple(
  fc.integer({ min: 1, max: 2000 }),
  fc.oneof(fc.string(), fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 0, max: 2 ** 40 })),
);

test("whatever a message says, and however it is cut, its session is the first one and its user the authenticated one", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(field, { maxLength: 8 }),
      fc.array(fc.nat(), { maxLength: 6 }),
      fc.uint8Array({ maxLength: 50 }),
      async (more, places, after) => {
        const session = randomUUID();
        // A field with the number of the session, but another type, would make the message unreadable for every server.
        const others = more.filter(([number, value]) => typeof value !== "number" || number > 2);
        const message = writeMessage([1, session], ...others);
        const passed = await passOn(cut(Buffer.concat([framed(message), after]), places));
        const length = passed.readUInt32BE(1);
        const changed = passed.subarray(5, 5 + length);
        expect(identityIn(changed)).toEqual({ session, user: "alice" });
        expect(changed.subarray(0, message.length)).toEqual(message);
        expect(passed.subarray(5 + length)).toEqual(Buffer.from(after));
      },
    ),
  );
});

test("any bytes are passed on or refused, and never believed to be for somebody else", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.array(fc.nat(), { maxLength: 4 }), async (bytes, places) => {
      const session = randomUUID();
      const message = Buffer.concat([writeMessage([1, session]), bytes]);
      const believed = await passOn(cut(framed(message), places)).then(
        (passed) => identityIn(passed.subarray(5)),
        (error: unknown) => (error instanceof GrpcError ? "refused" : error),
      );
      expect(["refused", { session, user: "alice" }]).toContainEqual(believed);
    }),
  );
});
