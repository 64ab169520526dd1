import type { Random } from "@kindling/outside";
import { application, flags, integer, member, octetString, sequence, text, time } from "../asn1/der.ts";
import { ENCRYPTION_TYPES, KEY_USAGE } from "../crypto/encryption-type.ts";
import type { Principal } from "../ticket/principal.ts";
import type { UsableTicket } from "../ticket/ticket.ts";
import { apRequest, principalParts } from "./ap-request.ts";

/** The KDC may answer with a ticket for tickets of another realm that is nearer to the service (RFC 6806, section 8). */
const CANONICALIZE = 0x0001_0000;

// The kinds of message and of its proof (RFC 4120, 5.4.1, 5.2.7.1).
const TGS_REQUEST = 12;
const PROOF_BY_TICKET = 1;

export interface TicketRequest {
  readonly ticketGranting: UsableTicket;
  readonly server: Principal;
  /** Appears in the answer again. */
  readonly nonce: number;
  readonly now: number;
  readonly random: Random;
}

/** TGS-REQ: asks for a ticket for a service, with a ticket for tickets (RFC 4120, section 5.4.1). */
export function ticketRequest({ ticketGranting, server, nonce, now, random }: TicketRequest): Buffer {
  const body = sequence(
    member(0, flags(CANONICALIZE)),
    member(2, text(server.realm)),
    member(3, principalParts(server)),
    member(5, time(ticketGranting.endTime)),
    member(7, integer(nonce)),
    member(8, sequence(...ENCRYPTION_TYPES.map(({ number }) => integer(number)))),
  );
  const { encryption, key } = ticketGranting;
  const checksum = {
    type: encryption.checksumType,
    value: encryption.checksum(key.value, KEY_USAGE.tgsRequestChecksum, body),
  };
  const proof = apRequest(ticketGranting, { usage: KEY_USAGE.tgsRequestAuthenticator, checksum, now, random });
  return application(
    TGS_REQUEST,
    sequence(
      member(1, integer(5)),
      member(2, integer(TGS_REQUEST)),
      member(3, sequence(sequence(member(1, integer(PROOF_BY_TICKET)), member(2, octetString(proof))))),
      member(4, body),
    ),
  );
}
