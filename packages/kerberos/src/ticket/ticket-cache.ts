import { BytesReader } from "./bytes-reader.ts";
import type { Principal } from "./principal.ts";
import type { Ticket } from "./ticket.ts";

/** A ticket cache: whose tickets they are, and the tickets. */
export interface TicketCache {
  readonly client: Principal;
  readonly tickets: readonly Ticket[];
  /** By how many milliseconds the KDC's clock was ahead when the user logged in. */
  readonly clockOffset: number;
}

/** A file that is no ticket cache, or one of a kind that is not read. */
export class TicketCacheError extends Error {}

// The tag of the header's field that has the clock's difference (MIT, "Credential cache file format").
const TIME_OFFSET = 1;

/**
 * Reads a ticket cache in a file: versions 3 and 4 (MIT, "Credential cache file format"). Older ones have the byte order of
 * the machine that wrote them, and nothing has written them since 2000.
 *
 * @throws TicketCacheError
 */
export function parseTicketCache(bytes: Buffer): TicketCache {
  if (bytes.length === 0) throw new TicketCacheError("it is empty");
  const version = bytes[0] === 5 ? bytes[1] : undefined;
  if (version !== 3 && version !== 4) {
    throw new TicketCacheError(
      version === undefined ? "it is no ticket cache" : `it has version ${version} of the format; 3 and 4 can be read`,
    );
  }
  const reader = new BytesReader(bytes, 2);
  try {
    const clockOffset = version === 4 ? readHeader(reader) : 0;
    const client = readPrincipal(reader);
    const tickets: Ticket[] = [];
    while (!reader.isAtEnd()) tickets.push(readTicket(reader, version));
    return { client, tickets, clockOffset };
  } catch (error) {
    if (error instanceof RangeError) throw new TicketCacheError("it ends in the middle of a ticket");
    throw error;
  }
}

/** The clock's difference in milliseconds. */
function readHeader(reader: BytesReader): number {
  const header = new BytesReader(reader.take(reader.uint16()), 0);
  let offset = 0;
  while (!header.isAtEnd()) {
    const tag = header.uint16();
    const value = header.take(header.uint16());
    if (tag === TIME_OFFSET && value.length === 8) {
      offset = value.readInt32BE(0) * 1000 + Math.trunc(value.readInt32BE(4) / 1000);
    }
  }
  return offset;
}

function readPrincipal(reader: BytesReader): Principal {
  const type = reader.uint32();
  const count = reader.uint32();
  const realm = reader.data().toString("utf8");
  const parts: string[] = [];
  for (let index = 0; index < count; index++) parts.push(reader.data().toString("utf8"));
  return { type, parts, realm };
}

function readTicket(reader: BytesReader, version: 3 | 4): Ticket {
  const client = readPrincipal(reader);
  const server = readPrincipal(reader);
  const type = reader.uint16();
  // Version 3 has the type twice.
  if (version === 3) reader.uint16();
  const value = reader.data();
  // The times of login and of the beginning.
  reader.take(8);
  const endTime = reader.uint32() * 1000;
  // The end of renewals, a mark of a user's own key, and flags.
  reader.take(4 + 1 + 4);
  // Addresses, then authorization data.
  skipList(reader);
  skipList(reader);
  const bytes = reader.data();
  // The ticket of the other user, of "user-to-user".
  reader.data();
  return { client, server, key: { type, value }, endTime, bytes };
}

function skipList(reader: BytesReader): void {
  for (let left = reader.uint32(); left > 0; left--) {
    reader.uint16();
    reader.data();
  }
}
