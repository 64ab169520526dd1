import type { ReviewedUser } from "@kindling/service";
import type { AuthenticationMode } from "../config/connect-keys.ts";

/** Somebody who has proved who they are. */
export type User = {
  /** The name by which sessions and limits belong to this user. */
  readonly name: string;
  readonly groups: readonly string[];
  /** How they proved it. */
  readonly mode: AuthenticationMode;
} & (
  | { readonly kind: "local" }
  /** From the access file: these namespaces, in which `*` stands for any characters. */
  | { readonly kind: "listed"; readonly namespaces: readonly string[] }
  /** Known to the cluster, or to an issuer whose users the cluster knows. */
  | { readonly kind: "reviewed"; readonly reviewed: ReviewedUser }
);

/** The credentials of a call. */
export interface Credentials {
  /** The token in `authorization: Bearer`. */
  readonly bearer: string | undefined;
  /** The client's address: wrong tokens are counted by it. */
  readonly client: string;
}

/** Finds out who calls. */
export interface Authenticator {
  /**
   * @throws GrpcError `UNAUTHENTICATED` if the credentials are missing or wrong, `UNAVAILABLE` if they cannot be checked at
   *   present, `RESOURCE_EXHAUSTED` after too many wrong ones
   */
  authenticate(credentials: Credentials): Promise<User>;
}
