/** What holds for the body of a request. */
export interface BodyRules {
  /** Bytes that it may have. */
  readonly mostBytes: number;
  /**
   * Asked for memory before any of the body is read, with the bytes that it has at most.
   *
   * @throws ApiError if there is none for it
   */
  readonly reserve?: (bytes: number) => Promise<void>;
  /**
   * Looks at the whole body before it is parsed.
   *
   * @throws ApiError if it is not to be
   */
  readonly check?: (body: Buffer) => void;
}

/** As the API server has it (apiserver, pkg/server/config.go, `MaxRequestBodyBytes`). */
export const ANY_BODY: BodyRules = { mostBytes: 3 * 1024 * 1024 };
