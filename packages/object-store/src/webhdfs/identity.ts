import { lookup } from "node:dns/promises";
import { tokenFor, type HadoopToken } from "./hadoop-tokens.ts";

/** Who is asking. Sent to name nodes and gateways alone: a data node gets what these put into its address. */
export interface Identity {
  /** `user.name`, or `delegation`. A token says who one is; a name beside it would be refused. */
  readonly query: Readonly<Record<string, string>>;
  /** Such as the login at a gateway. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A delegation token in place of the user's name, where there is one. */
export function identityQuery(token: string | undefined, user: string | undefined): Identity["query"] {
  if (token !== undefined) return { delegation: token };
  return user ? { "user.name": user } : {};
}

/** The token for a service, of a file system `nameService` or at its host, as it stands in a query. */
export async function delegationToken(
  tokens: readonly HadoopToken[],
  nameService: string,
  service: URL,
): Promise<string | undefined> {
  if (tokens.length === 0) return undefined;
  const host = service.hostname.replace(/^\[|\]$/g, "");
  // Hadoop names services by address (hadoop.security.token.service.use_ip).
  const addresses = await lookup(host, { all: true }).catch(() => []);
  return tokenFor(tokens, nameService, [host, ...addresses.map(({ address }) => address)])?.urlString;
}
