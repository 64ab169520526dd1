import { closeSync, openSync, readSync } from "node:fs";
import type { Container } from "../../../objects/pod.ts";
import type { ContainerLog } from "./container-log.ts";

/** Limits of the kubelet. */
const LONGEST = 4096;
const LOG = { lines: 80, bytes: 2048 };

/** A container's termination message: from its file, or from its log if it failed and its policy allows this. */
export function terminationMessage(
  { terminationMessagePolicy }: Container,
  file: string,
  log: ContainerLog,
  failed: boolean,
): string | undefined {
  const written = start(file);
  if (written !== "") return written;
  if (!failed || terminationMessagePolicy !== "FallbackToLogsOnError") return undefined;
  const last = log.tail(LOG.lines, LOG.bytes);
  return last === "" ? undefined : last;
}

function start(path: string): string {
  const buffer = Buffer.alloc(LONGEST);
  const file = openSync(path, "r");
  try {
    return buffer.toString("utf8", 0, readSync(file, buffer, 0, LONGEST, 0));
  } finally {
    closeSync(file);
  }
}
