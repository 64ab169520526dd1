// @ts-check
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { peakMemory } from "@kindling/test-kit/process-usage";

const MEBIBYTE = 1024 * 1024;

/**
 * Checks four times a second how much memory and how many descriptors a process uses.
 *
 * @param {number} pid
 * @param {import("./memory-group.mjs").MemoryGroup} [group] that it is in
 */
export function watchUsage(pid, group) {
  const peaks = { memory: 0, kernelMemory: 0, descriptors: 0 };
  const look = () => {
    try {
      peaks.memory = Math.max(peaks.memory, peakMemory(pid));
      peaks.descriptors = Math.max(peaks.descriptors, readdirSync(`/proc/${pid}/fd`).length);
      const kernel = group && join(group.path, "memory.kmem.usage_in_bytes");
      if (kernel !== undefined && existsSync(kernel)) {
        peaks.kernelMemory = Math.max(peaks.kernelMemory, Number(readFileSync(kernel, "utf8")) / MEBIBYTE);
      }
    } catch {
      // The process has ended.
    }
  };
  const timer = setInterval(look, 250);
  return { peaks: () => ({ ...peaks }), stop: () => clearInterval(timer) };
}
