/** Who makes a request. */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The group of users without credentials. */
export const UNAUTHENTICATED = "system:unauthenticated";

/** A request without credentials. */
export const ANONYMOUS: User = { name: "system:anonymous", groups: [UNAUTHENTICATED] };
