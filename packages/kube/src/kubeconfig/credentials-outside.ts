import type { Outside } from "@kindling/outside";
import type { CredentialTimes } from "../credentials/credential-times.ts";
import type { WaitNotices } from "../credentials/wait-notice.ts";
import type { FilesOutside } from "../files-outside.ts";

/** What a user's credentials may need from the environment. */
export interface CredentialsOutside extends Pick<Outside, "env" | "clock">, Pick<FilesOutside, "readFile"> {
  readonly notices: WaitNotices;
  readonly times: CredentialTimes;
  /** Whether plug-ins may use the terminal. */
  readonly interactive: boolean;
  readonly isTerminal: ((stream: "stdin" | "stderr") => boolean) | undefined;
}
