import type { Random } from "@kindling/outside";
import { application, flags, integer, member, octetString, sequence, text, time } from "../asn1/der.ts";
import { KEY_USAGE, type EncryptionType } from "../crypto/encryption-type.ts";
import { encryptedData, principalParts } from "../kdc/ap-request.ts";
import { ticketGranting, type Principal } from "../ticket/principal.ts";

// The kinds of message and of its proof (RFC 4120, 5.4.1, 5.2.7.2).
const AS_REQUEST = 10;
const PROOF_BY_TIME = 2;

export interface LoginRequest {
  readonly client: Principal;
  readonly encryption: EncryptionType;
  /** The client's long-term key. */
  readonly key: Buffer;
  /** Appears in the answer again. */
  readonly nonce: number;
  /** By the KDC's clock. Milliseconds since the epoch, as the next one. */
  readonly now: number;
  /** Until when the ticket is wanted; the KDC may give less. */
  readonly until: number;
  readonly random: Random;
}

/** AS-REQ: asks for a ticket for tickets, with the time encrypted with the client's own key (RFC 4120, section 5.4.1). */
export function loginRequest({ client, encryption, key, nonce, now, until, random }: LoginRequest): Buffer {
  const body = sequence(
    member(0, flags(0)),
    member(1, principalParts(client)),
    member(2, text(client.realm)),
    member(3, principalParts(ticketGranting(client.realm, client.realm))),
    member(5, time(until)),
    member(7, integer(nonce)),
    // The answer is sealed with the client's key of one of these kinds.
    member(8, sequence(integer(encryption.number))),
  );
  const stamp = sequence(member(0, time(now)), member(1, integer((now % 1000) * 1000)));
  const sealed = encryption.seal(key, KEY_USAGE.loginTime, stamp, random);
  const proof = sequence(
    member(1, integer(PROOF_BY_TIME)),
    member(2, octetString(encryptedData(encryption.number, sealed))),
  );
  return application(
    AS_REQUEST,
    sequence(member(1, integer(5)), member(2, integer(AS_REQUEST)), member(3, sequence(proof)), member(4, body)),
  );
}
