import { lookup } from "node:dns/promises";
import { tokenFor, type HadoopToken } from "./hadoop-tokens.ts";

/** The identity of the caller. It is sent only to name nodes and gateways; they put what a data node needs into its address. */
export interface Identity {
  /** `user.name`, or `delegation`. A token contains the user; a name in addition would be refused. */
  readonly query: Readonly<Record<string, string>>;
  /** Header fields, such as the login at a gateway. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A delegation token instead of the user's name, if there is one. */
export function identityQuery(token: string | undefined, user: string | undefined): Identity["query"] {
  if (token !== undefined) return { delegation: token };
  return user ? { "user.name": user } : {};
}

/** The token for a service, by the file system `nameService` or by the service's host, in the form for a query. */
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
