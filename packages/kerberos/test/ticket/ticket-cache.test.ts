import fc from "fast-check";
import { expect, it } from "vitest";
import { parseTicketCache, TicketCacheError } from "../../src/ticket/ticket-cache.ts";
import { principalName } from "../../src/ticket/principal.ts";
import { ticketCacheBytes } from "@kindling/test-kit/ticket-cache-bytes";
import { faultOf } from "../support/fault-of.ts";
import { ALICE, aTicket } from "../support/tickets.ts";

const text = fc.string({ unit: "binary", maxLength: 20 });
const principal = fc.record({
  type: fc.integer({ min: 0, max: 10 }),
  parts: fc.array(text, { maxLength: 3 }),
  realm: text,
});
const bytes = fc.uint8Array({ maxLength: 80 }).map((value) => Buffer.from(value));
const ticket = fc.record({
  client: principal,
  server: principal,
  key: fc.record({ type: fc.constantFrom(17, 18, 19, 20, 23), value: bytes }),
  endTime: fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => seconds * 1000),
  bytes,
});

it.each([3, 4] as const)("reads what version %i has", (version) => {
  const offset = version === 3 ? fc.constant(0) : fc.integer({ min: -600_000, max: 600_000 });
  fc.assert(
    fc.property(principal, fc.array(ticket, { maxLength: 4 }), offset, (client, tickets, clockOffset) => {
      const cache = { client, tickets, clockOffset };
      expect(parseTicketCache(ticketCacheBytes(cache, version))).toEqual(cache);
    }),
  );
});

it("refuses a cache that is cut inside of a ticket", () => {
  const whole = ticketCacheBytes({ client: ALICE, tickets: [aTicket()], clockOffset: 0 });
  const withoutTickets = ticketCacheBytes({ client: ALICE, tickets: [], clockOffset: 0 }).length;
  for (let length = 0; length < whole.length; length++) {
    if (length === withoutTickets) continue;
    expect(() => parseTicketCache(whole.subarray(0, length)), String(length)).toThrow(TicketCacheError);
  }
});

it("reads or refuses any bytes", () => {
  fc.assert(
    fc.property(fc.constantFrom(3, 4), fc.uint8Array({ maxLength: 100 }), (version, rest) => {
      const fault = faultOf(() => parseTicketCache(Buffer.from([5, version, ...rest])));
      expect(fault === undefined || fault instanceof TicketCacheError).toBe(true);
    }),
  );
});

it.each([
  ["", "it is empty"],
  ["0501", "it has version 1 of the format; 3 and 4 can be read"],
  ["0502", "it has version 2 of the format; 3 and 4 can be read"],
  ["2320636f6e66", "it is no ticket cache"],
])("says why %j is none", (hex, message) => {
  expect(() => parseTicketCache(Buffer.from(hex, "hex"))).toThrow(message);
});

it("shows principals as klist does", () => {
  expect(principalName({ type: 2, parts: ["HTTP", "nn.example.com"], realm: "EXAMPLE.COM" })).toBe(
    "HTTP/nn.example.com@EXAMPLE.COM",
  );
  expect(principalName({ type: 1, parts: ["a/b@c"], realm: "R" })).toBe(String.raw`a\/b\@c@R`);
});
