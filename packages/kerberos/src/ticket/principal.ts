/** A user or a service: `alice@REALM`, `HTTP/host@REALM` (RFC 4120, section 6). */
export interface Principal {
  /** The kind of the name, which others only hint at (RFC 4120, 6.2). */
  readonly type: number;
  readonly parts: readonly string[];
  readonly realm: string;
}

export const NAME_TYPE = { user: 1, serviceInstance: 2, serviceHost: 3 } as const;

/** A principal as `klist` shows it: what would separate is escaped (MIT, krb5_unparse_name). */
export function principalName({ parts, realm }: Principal): string {
  return `${parts.map((part) => part.replaceAll(/[\\/@]/g, String.raw`\$&`)).join("/")}@${realm.replaceAll(/[\\@]/g, String.raw`\$&`)}`;
}

/** The principal of a realm's tickets for tickets, in another realm or in its own. */
export function ticketGranting(realm: string, of: string): Principal {
  return { type: NAME_TYPE.serviceInstance, parts: ["krbtgt", realm], realm: of };
}

/** The realm that a ticket for tickets is for; `undefined` for another ticket. */
export function grantedRealm({ parts }: Principal): string | undefined {
  return parts.length === 2 && parts[0] === "krbtgt" ? parts[1] : undefined;
}
