import { closeSync, constants, openSync, writeSync } from "node:fs";
import type { LocalizerError } from "./localizer-error.ts";
import type { Redactor } from "./redactor.ts";

// What the kubelet reads of a termination log (Kubernetes, "Determine the Reason for Pod Failure").
const MAX_BYTES = 4096;

/** The line of the termination log: JSON of at most 4096 bytes; the message is cut where it does not fit. */
export function terminationLine(error: LocalizerError, redactor: Redactor): string {
  const clean = (text: string): string => redactor.clean(text);
  let message = clean(error.message);
  const hint = error.hint === undefined ? undefined : clean(error.hint).slice(0, 500);
  const file = error.file === undefined ? undefined : clean(error.file).slice(0, 500);
  for (;;) {
    const line = JSON.stringify({ reason: error.reason, file, message, hint });
    const excess = Buffer.byteLength(line) - (MAX_BYTES - 1);
    if (excess <= 0) return `${line}\n`;
    message = `${message.slice(0, Math.max(0, message.length - Math.max(excess, 16)))}…`;
  }
}

/** Writes a termination log; where there is no such file, or it cannot be written, nobody asked for one. */
export function writeTerminationLog(path: string, line: string): void {
  try {
    const file = openSync(path, constants.O_WRONLY | constants.O_TRUNC | constants.O_NONBLOCK);
    try {
      writeSync(file, line);
    } finally {
      closeSync(file);
    }
  } catch {
    // The reason stands in the log of the container as well.
  }
}
