import { readFileSync } from "node:fs";
import { Counter, Gauge, type Registry } from "prom-client";

/** The text of a file below `/proc/self`; undefined if the file does not exist, as on systems other than Linux. */
export type ReadProcess = (file: string) => string | undefined;

/** The kernel's value for no limit: the largest number of 64 bits. */
const UNLIMITED = 2 ** 64;

export const readProcess: ReadProcess = (file) => {
  try {
    return readFileSync(`/proc/self/${file}`, "utf8");
  } catch {
    return undefined;
  }
};

/**
 * The figures of a process that Go's client of Prometheus has and prom-client lacks (prometheus/client_golang v1.23.2,
 * prometheus/process_collector_procfsenabled.go). A figure is left out if its file does not exist.
 */
export function processMetrics(registry: Registry, read: ReadProcess): void {
  if (read("limits") !== undefined) {
    const gauge = new Gauge({
      ...{ name: "process_virtual_memory_max_bytes", help: "Virtual memory that the process may have at most." },
      registers: [],
      collect() {
        const limit = addressSpace(read("limits") ?? "");
        if (limit !== undefined) this.set(limit);
      },
    });
    registry.registerMetric(gauge);
  }
  if (read("net/netstat") === undefined) return;
  octets("receive", "InOctets", "Bytes that the process, and all of its pod, received over the network.");
  octets("transmit", "OutOctets", "Bytes that the process, and all of its pod, sent over the network.");

  function octets(direction: string, field: string, help: string): void {
    const counter = new Counter({
      ...{ name: `process_network_${direction}_bytes_total`, help, registers: [] },
      collect() {
        this.reset();
        this.inc(ipField(read("net/netstat") ?? "", field));
      },
    });
    registry.registerMetric(counter);
  }
}

/** The soft limit, in bytes. */
function addressSpace(limits: string): number | undefined {
  const [, limit] = /^Max address space +(\S+)/m.exec(limits) ?? [];
  if (limit === undefined) return undefined;
  return limit === "unlimited" ? UNLIMITED : Number(limit);
}

/** Names and values are in two lines with the same beginning; 0 for a field that the kernel does not count. */
function ipField(netstat: string, field: string): number {
  const [names = [], values = []] = netstat
    .split("\n")
    .filter((line) => line.startsWith("IpExt: "))
    .map((line) => line.split(" "));
  return Number(values[names.indexOf(field)] ?? 0);
}
