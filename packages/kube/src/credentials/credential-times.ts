/** How long it may take to get credentials from a command, from a file that is not a regular one, or from a library. */
export interface CredentialTimes {
  /** After how long `onWait` is told what the wait is for; default 3 s. */
  readonly noticeMs: number;
  /** After how long the wait ends if no person can help; default 60 s. */
  readonly timeoutMs: number;
  /** The same at a terminal, where a person may have to sign in first; default 5 minutes. */
  readonly terminalTimeoutMs: number;
}

export const DEFAULT_CREDENTIAL_TIMES: CredentialTimes = {
  noticeMs: 3_000,
  timeoutMs: 60_000,
  terminalTimeoutMs: 300_000,
};
