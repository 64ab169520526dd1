import { harmlessText, KindlingError } from "@kindling/core-spec";
import { principalName, type Principal } from "../ticket/principal.ts";
import type { KdcRefusal } from "./ticket-reply.ts";

const KINIT = "get a new ticket with kinit";

interface Meaning {
  readonly text: string;
  readonly hint: string;
}

// Numbers of RFC 4120, section 7.5.9. SERVICE stands for what was asked for.
const MEANINGS: Readonly<Record<number, Meaning>> = {
  6: { text: "does not know the user of the ticket", hint: KINIT },
  7: {
    text: "does not know SERVICE",
    hint: "write the host in Hadoop's configuration as its principal has it, or map its domain to a realm under [domain_realm] in krb5.conf",
  },
  12: { text: "does not let the user have a ticket for SERVICE", hint: "ask the administrator of the KDC" },
  14: {
    text: "has no key of AES for SERVICE",
    hint: "have an AES key made for that principal; older keys (RC4, DES) are not used",
  },
  18: { text: "says that the user's account is locked or has ended", hint: "ask the administrator of the KDC" },
  20: { text: "says that the ticket was revoked", hint: KINIT },
  31: { text: "cannot read the ticket, which may be of an earlier database of the KDC", hint: KINIT },
  32: { text: "says that the ticket has ended", hint: KINIT },
  33: { text: "says that the ticket is not valid yet", hint: "set this machine's clock, for example by NTP" },
  44: { text: "cannot read the ticket, which may be of an earlier database of the KDC", hint: KINIT },
  68: {
    text: "is not the KDC of SERVICE",
    hint: "map the host's domain to its realm under [domain_realm] in krb5.conf",
  },
};

const CLOCK_SKEW = 37;

/** The error for a KDC's refusal of a ticket for a service. */
export function kdcRefusal(refusal: KdcRefusal, realm: string, server: Principal, now: number): KindlingError {
  const who = `the KDC of ${realm}`;
  if (refusal.code === CLOCK_SKEW) {
    const seconds = Math.round((now - refusal.serverTime) / 1000);
    return new KindlingError(
      "KERBEROS_FAILED",
      `this machine's clock is ${durationText(Math.abs(seconds))} ${seconds < 0 ? "behind" : "ahead of"} the clock of ${who}, which is too much for Kerberos`,
      { hint: "set this machine's clock, for example by NTP" },
    );
  }
  const known = MEANINGS[refusal.code];
  const said = refusal.text ? `: ${harmlessText(refusal.text)}` : "";
  const message = known?.text.replace("SERVICE", principalName(server));
  return new KindlingError(
    "KERBEROS_FAILED",
    message === undefined
      ? `${who} gives no ticket for ${principalName(server)}: error ${refusal.code}${said}`
      : `${who} ${message}`,
    { hint: known?.hint ?? "the log of the KDC says more" },
  );
}

function durationText(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
