import type { Ticket } from "../../src/ticket/ticket.ts";
import type { Principal } from "../../src/ticket/principal.ts";

export const ALICE: Principal = { type: 1, parts: ["alice"], realm: "EXAMPLE.COM" };

export const END = Date.UTC(2026, 0, 1, 10);

/** Alice's ticket for tickets. */
export function aTicket(changes: Partial<Ticket> = {}): Ticket {
  return {
    client: ALICE,
    server: { type: 2, parts: ["krbtgt", "EXAMPLE.COM"], realm: "EXAMPLE.COM" },
    key: { type: 18, value: Buffer.alloc(32, 1) },
    endTime: END,
    bytes: Buffer.from("6103020105", "hex"),
    ...changes,
  };
}
