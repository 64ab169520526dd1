/** The rules for the body of a request. */
export interface BodyRules {
  /** The highest number of bytes. */
  readonly mostBytes: number;
  /**
   * Called before the body is read, to reserve memory for its highest possible number of bytes.
   *
   * @throws ApiError if there is no memory for it
   */
  readonly reserve?: (bytes: number) => Promise<void>;
  /**
   * Looks at the whole body before it is parsed.
   *
   * @throws ApiError if it must be refused
   */
  readonly check?: (body: Buffer) => void;
}

/** The limit of the API server (apiserver, pkg/server/config.go, `MaxRequestBodyBytes`). */
export const ANY_BODY: BodyRules = { mostBytes: 3 * 1024 * 1024 };
