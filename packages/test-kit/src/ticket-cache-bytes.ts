interface Principal {
  readonly type: number;
  readonly parts: readonly string[];
  readonly realm: string;
}

interface Ticket {
  readonly client: Principal;
  readonly server: Principal;
  readonly key: { readonly type: number; readonly value: Buffer };
  /** In milliseconds since the epoch. */
  readonly endTime: number;
  readonly bytes: Buffer;
}

interface TicketCache {
  readonly client: Principal;
  readonly tickets: readonly Ticket[];
  /** In milliseconds. */
  readonly clockOffset: number;
}

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

/** The cache of a user alice of EXAMPLE.COM with a ticket for tickets, which no KDC knows. */
export function aTicketCache(endTime: number): Buffer {
  const client = { type: 1, parts: ["alice"], realm: "EXAMPLE.COM" };
  const server = { type: 2, parts: ["krbtgt", "EXAMPLE.COM"], realm: "EXAMPLE.COM" };
  const key = { type: 18, value: Buffer.alloc(32, 1) };
  const ticket = { client, server, key, endTime, bytes: Buffer.from("6103020105", "hex") };
  return ticketCacheBytes({ client, tickets: [ticket], clockOffset: 0 });
}
