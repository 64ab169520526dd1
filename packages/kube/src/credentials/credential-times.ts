/** How long credentials may take that come from a command, a file that is no regular one, or a library. */
export interface CredentialTimes {
  /** After how long `onWait` is told what is waited for; default 3 s. */
  readonly noticeMs: number;
  /** After how long it is given up where nobody can help it along; default 60 s. */
  readonly timeoutMs: number;
  /** The same at a terminal, where a person may have to sign in first; default 5 minutes. */
  readonly terminalTimeoutMs: number;
}

export const DEFAULT_CREDENTIAL_TIMES: CredentialTimes = {
  noticeMs: 3_000,
  timeoutMs: 60_000,
  terminalTimeoutMs: 300_000,
};
