import { closeSync, constants, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { LocalizerError } from "./localizer-error.ts";
import type { Redactor } from "@kindling/core-spec";
import { shownText } from "./shown-text.ts";

// How much of a termination log the kubelet reads (Kubernetes, "Determine the Reason for Pod Failure").
const MAX_BYTES = 4096;
const MOST_MESSAGE_BYTES = 3000;
const MOST_OTHER_BYTES = 500;

/**
 * The file in which the kubelet looks for a container's last message, whether it failed or not. It is open from the
 * start, so that a process without free file handles can still write the message.
 */
export interface TerminationLog {
  /** Says why the run failed. */
  fail(error: LocalizerError): void;
  /** The run succeeded: there is nothing to say. */
  clear(): void;
}

/**
 * Opens a termination log, and writes that the process was killed: this stays if the process cannot write any more. If
 * there is no such file, or it cannot be written, this is no error: the reason is in the container's log as well.
 */
export function openTerminationLog(path: string, redactor: Redactor): TerminationLog {
  const file = openIfThere(path);
  const write = (text: string): void => {
    if (file === undefined) return;
    try {
      writeSync(file, text, 0);
      ftruncateSync(file, Buffer.byteLength(text));
    } catch {
      // Then it is as if there was no such file.
    }
  };
  write(terminationLine(KILLED, redactor));
  return {
    fail: (error) => write(terminationLine(error, redactor)),
    clear: () => write(""),
  };
}

const KILLED = new LocalizerError("killed", "the localizer was ended before it could say why", {
  hint: "exit code 134, or 137 with OOMKilled: give it more memory; else look at the node's events",
});

/** Only in a regular file does a new line replace the old one; anything else would show each of them. */
function openIfThere(path: string): number | undefined {
  try {
    const file = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    if (fstatSync(file).isFile()) return file;
    closeSync(file);
  } catch {
    // There is none.
  }
  return undefined;
}

/** The line of the termination log: JSON of at most 4096 bytes; the message is cut if it does not fit. */
export function terminationLine(error: LocalizerError, redactor: Redactor): string {
  const other = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : shownText(text, redactor, MOST_OTHER_BYTES);
  const [file, hint] = [other(error.file), other(error.hint)];
  for (let most = MOST_MESSAGE_BYTES; ; most -= 100) {
    const message = shownText(error.message, redactor, most);
    const line = `${JSON.stringify({ reason: error.reason, file, message, hint })}\n`;
    if (Buffer.byteLength(line) <= MAX_BYTES) return line;
  }
}
