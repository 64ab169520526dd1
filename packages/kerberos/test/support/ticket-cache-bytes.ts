import type { Principal } from "../../src/ticket/principal.ts";
import type { Ticket } from "../../src/ticket/ticket.ts";
import type { TicketCache } from "../../src/ticket/ticket-cache.ts";

/** A ticket cache as MIT's and Heimdal's programs write it. */
export function ticketCacheBytes({ client, tickets, clockOffset }: TicketCache, version: 3 | 4 = 4): Buffer {
  const header =
    version === 3
      ? []
      : [uint16(12), uint16(1), uint16(8), int32(Math.trunc(clockOffset / 1000)), int32((clockOffset % 1000) * 1000)];
  return Buffer.concat([
    Buffer.from([5, version]),
    ...header,
    principalBytes(client),
    ...tickets.map((ticket) => ticketBytes(ticket, version)),
  ]);
}

function ticketBytes({ client, server, key, endTime, bytes }: Ticket, version: 3 | 4): Buffer {
  const times = [endTime - 3_600_000, endTime - 3_600_000, endTime, endTime + 3_600_000];
  return Buffer.concat([
    principalBytes(client),
    principalBytes(server),
    uint16(key.type),
    ...(version === 3 ? [uint16(key.type)] : []),
    data(key.value),
    ...times.map((time) => int32(Math.floor(time / 1000) | 0)),
    Buffer.from([0]),
    int32(0x4000_0000),
    // An address and an authorization, which are skipped.
    ...[int32(1), uint16(2), data(Buffer.from([127, 0, 0, 1]))],
    ...[int32(1), uint16(1), data(Buffer.from("groups"))],
    data(bytes),
    data(Buffer.alloc(0)),
  ]);
}

function principalBytes({ type, parts, realm }: Principal): Buffer {
  return Buffer.concat([
    int32(type),
    int32(parts.length),
    data(Buffer.from(realm)),
    ...parts.map((part) => data(Buffer.from(part))),
  ]);
}

function data(bytes: Buffer): Buffer {
  return Buffer.concat([int32(bytes.length), bytes]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
