import { appendFileSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { sendSignal } from "../host/send-signal.ts";
import { processEntry } from "../host/process-table.ts";

const FILE = "processes";

/** Records a process that must not outlive the cluster. If this cluster cannot end it, the next one does. */
export function recordProcess(podFolder: string, pid: number): void {
  const entry = processEntry(pid);
  if (entry !== undefined) appendFileSync(join(podFolder, FILE), `${pid} ${entry.startTime}\n`);
}

/** Ends the recorded processes of all pods that still run. Their ids may belong to other processes by now. */
export function killRecorded(pods: string): void {
  for (const pod of list(pods)) {
    for (const line of read(join(pods, pod, FILE)).split("\n")) {
      const [pid, startTime] = line.split(" ");
      if (startTime === undefined || processEntry(Number(pid))?.startTime !== startTime) continue;
      sendSignal(Number(pid), "SIGKILL");
    }
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
