import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const MEBIBYTE = 1024 * 1024;

/** Looks four times a second at what a process has. */
export function watchUsage(pid, group) {
  const peaks = { memory: 0, kernelMemory: 0, descriptors: 0 };
  const look = () => {
    try {
      const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
      peaks.memory = Math.max(peaks.memory, Number(kilobytes ?? 0) / 1024);
      peaks.descriptors = Math.max(peaks.descriptors, readdirSync(`/proc/${pid}/fd`).length);
      const kernel = group && join(group.path, "memory.kmem.usage_in_bytes");
      if (kernel !== undefined && existsSync(kernel)) {
        peaks.kernelMemory = Math.max(peaks.kernelMemory, Number(readFileSync(kernel, "utf8")) / MEBIBYTE);
      }
    } catch {
      // It has ended.
    }
  };
  const timer = setInterval(look, 250);
  return { peaks: () => ({ ...peaks }), stop: () => clearInterval(timer) };
}
