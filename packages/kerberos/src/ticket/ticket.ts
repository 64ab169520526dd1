import type { EncryptionType } from "../crypto/encryption-type.ts";
import type { Principal } from "./principal.ts";

/** The key that a client and a service share. */
export interface SessionKey {
  readonly type: number;
  readonly value: Buffer;
}

/** A ticket of a client for a service, as a ticket cache has it. */
export interface Ticket {
  readonly client: Principal;
  readonly server: Principal;
  readonly key: SessionKey;
  /** Milliseconds since the epoch. */
  readonly endTime: number;
  /** The encoded Ticket, which only the service can read. */
  readonly bytes: Buffer;
}

/** A ticket with a session key that can be used here. */
export interface UsableTicket extends Ticket {
  readonly encryption: EncryptionType;
}
